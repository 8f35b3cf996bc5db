import type { DaemonProcess } from '../../support/daemon-process.ts';
import type { Sample } from '../../support/exposition-reader.ts';
import type { SimulatedWorld } from '../simulated-world.ts';
import type { SteppedClock } from '../stepped-clock.ts';

/** A daemon of its own, or in the process of a test. */
export type StageDaemon = Pick<DaemonProcess, 'pid' | 'signal' | 'stop'>;

/** A service, a folder, and the daemon that runs there when a fault comes. */
export interface MachineStage {
  readonly world: SimulatedWorld;
  readonly historyFile: string;
  readonly keyFile: string;
  readonly key: string;
  /** The host's clock as daemons see it. */
  readonly clock: SteppedClock;
  /** Starts a daemon; or, where it does not start, gives what it says. */
  start(env?: Readonly<Record<string, string>>, wrapper?: readonly string[]): Promise<StageDaemon | string>;
  /** The daemon that runs, and knows all there is. */
  running(): Promise<StageDaemon>;
  /** The daemon that runs, however it is. */
  current(): StageDaemon;
  scrape(): Promise<readonly Sample[]>;
  /** Waits until the page has these signs that something is wrong, and no others; does something before each look. */
  until(signs: readonly string[], meanwhile?: () => Promise<unknown>): Promise<void>;
}

/** A row of the table of faults about the machine the daemon runs on. */
export interface MachineFault {
  readonly fault: string;
  /** Does it, so that it lasts. */
  inflict(stage: MachineStage): Promise<void>;
  /** Ends it, where it does not end by itself: afterwards all must be right. */
  heal?(stage: MachineStage): Promise<void> | void;
  /** What the page says meanwhile that it does not on a good day. */
  readonly signs: readonly string[];
  /** A part of the first line of the log about it; of the one sentence where the daemon does not start. */
  readonly log?: string;
  readonly alerts: readonly string[];
  /** Whether there is no page, as the daemon does not run. */
  readonly down?: boolean;
  /** Whether the daemon is away for a moment, as it is started anew. */
  readonly restarts?: boolean;
  /** Whether it can only be done by a user who may mount something. */
  readonly mounts?: boolean;
}

/** Fails unless a daemon does not start, with a sentence that has this in it. */
export async function expectRefusal(
  stage: MachineStage,
  sentence: string,
  wrapper?: readonly string[],
): Promise<void> {
  const answer = await stage.start({}, wrapper);
  if (typeof answer !== 'string') throw new Error('the daemon started all the same');
  if (!answer.includes(sentence)) throw new Error(`it said: ${answer}`);
}
