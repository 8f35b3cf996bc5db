import type { LoginOutcome, TurnedAwayReason, WebAccess } from '../resources/web-access.ts';
import type { AnswerPage } from './console-answer.ts';
import type { RenderMetrics } from './metrics-answer.ts';

/** An address, without a host all of them, or a socket that was opened before by another process. */
export type ListenPlace =
  | { readonly host: string | undefined; readonly port: number }
  | { readonly fd: number };

export interface ServerOptions {
  /** At least one. */
  readonly listen: readonly ListenPlace[];
  readonly telemetryPath: string;
  /** Absent where nothing is watched here: then there are no metrics. */
  readonly renderMetrics?: RenderMetrics;
  /** The page at `/` where there is no console. */
  readonly renderLandingPage?: () => string;
  /** Answers every other path with a page of the console; absent where there is none: `/` is the landing page then. */
  readonly answerPage?: AnswerPage;
  /** Whether there is data to serve. */
  readonly isReady: () => boolean;
  /** Whether another daemon does the work, and this one waits to take over; not unless told. */
  readonly isStandby?: () => boolean;
  /** Whether another daemon shows more by now: no metrics are served then; never unless told. */
  readonly isOutdated?: () => boolean;
  /** A sentence that says that the daemon does not do its work any more, and should be started anew. */
  readonly findStall?: () => string | undefined;
  readonly onError: (error: unknown) => void;
  /** Time after which a client that takes nothing of its answer loses it; a minute by default. */
  readonly stalledAfterMs?: number;
  /** Time after which a client that has not taken all of the metrics loses them; 30 seconds by default. */
  readonly deadlineMs?: number;
  /** Connections at a time; 512 by default. */
  readonly mostConnections?: number;
  /** Milliseconds of a clock that never steps. */
  readonly now?: () => number;
  /** Told of each client that is not served to the end. */
  readonly onTurnedAway?: (reason: TurnedAwayReason) => void;
  /** How clients are let in, asked for each connection and request; anyone by plain HTTP unless told. */
  readonly access?: () => WebAccess;
  readonly healthWithoutLogin?: boolean;
  /** Where people reach it, such as `https://dbpm.example.com`; empty where it is not set. */
  readonly externalUrl?: string;
  /** Told of each login, and where it comes from. */
  readonly onLogin?: (outcome: LoginOutcome, address: string) => void;
  /** More places, where anyone is told by plain HTTP how the daemon is, and nothing else. */
  readonly healthListen?: readonly ListenPlace[];
  /** Loads the configuration anew and tells what is wrong with it; absent where a client may not ask for that. */
  readonly reload?: () => Promise<readonly string[]>;
}
