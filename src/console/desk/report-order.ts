import type { ConsoleConfig } from '../console-config.ts';
import type { Fleet } from '../page/fleet/fleet-join.ts';
import type { ReportSet, SetQuestion } from './report-set.ts';

/** The things the thread makes, by what they are asked for with; `now` is epoch milliseconds. */
export interface DeskWork {
  readonly set: {
    readonly asked: SetQuestion & { readonly now: number };
    readonly made: ReportSet;
  };
  readonly projects: {
    readonly asked: {
      readonly now: number;
      /** Without their figures, which take longer, projects are there at once. */
      readonly withFigures: boolean;
    };
    readonly made: Fleet;
  };
}

/** An order of something to be made. Its id is like no other: several threads may order on one channel, one after the other. */
export type DeskOrder = {
  readonly [What in keyof DeskWork]: {
    readonly id: string;
    readonly what: What;
    readonly asked: DeskWork[What]['asked'];
  };
}[keyof DeskWork];

/** A message on the channel of reports: an order, or what the thread that makes them says. */
export type DeskMessage =
  | DeskOrder
  /** The thread begins to listen. */
  | { readonly begun: true }
  /** It begins to make what was ordered, or is still at it. */
  | { readonly id: string; readonly taken: true }
  | { readonly id: string; readonly made: DeskWork[keyof DeskWork]['made'] }
  | { readonly id: string; readonly problem: string; readonly about: 'request' | 'history' | 'program' };

/** The settings of the thread that makes reports. */
export interface ReportServiceData {
  /** The name of the channel that orders come over. */
  readonly channel: string;
  readonly config: ConsoleConfig;
}
