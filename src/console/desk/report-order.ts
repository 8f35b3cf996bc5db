import type { ConsoleConfig } from '../console-config.ts';
import type { FigureName } from '../page/fleet/sheet/fleet-figure.ts';
import type { FleetSheet } from '../page/fleet/sheet/fleet-sheet.ts';
import type { ReportSet, SetQuestion } from './report-set.ts';

/** Figures of all projects, as the thread that took them reads them again. */
export interface TakenFigures {
  readonly json: Uint8Array<ArrayBuffer>;
  /** Whether all that they rest on is. */
  readonly isWhole: boolean;
  /** The figures that could not be taken, and why. */
  readonly failed: readonly { readonly name: FigureName; readonly message: string }[];
}

/** The things the thread makes, by what they are asked for with. */
export interface DeskWork {
  readonly set: {
    readonly asked: SetQuestion & {
      /** Epoch milliseconds. */
      readonly now: number;
    };
    readonly made: ReportSet;
  };
  readonly figures: {
    readonly asked: { readonly now: number };
    readonly made: TakenFigures;
  };
  readonly fleet: {
    readonly asked: {
      /** The names of the groupings that are shown. */
      readonly groupings: readonly string[];
      /** Absent before the first. */
      readonly figures?: TakenFigures;
    };
    readonly made: FleetSheet;
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
