import type { Config } from '../config/config.ts';
import type { Problem } from '../config/problem.ts';
import type { ReportKind } from './kind.ts';
import type { ReportOptions } from './parameter.ts';
import type { LookAtUsage } from './usage-view/calculator.ts';

/** A report to be made. */
export interface ReportOrder {
  readonly kind: ReportKind;
  readonly options: ReportOptions;
  readonly config: Config;
  /** Epoch milliseconds. */
  readonly now: number;
}

/** Listeners to the making of a report. */
export interface ReportListeners {
  /** Called with each thing in a what-if price book that deserves a second look. */
  readonly onWarning: (warning: Problem) => void;
  /** Called in the course of long work with the part that is done, 0 to 1. */
  readonly onProgress: (done: number) => void;
  /** Tells budgets and forecasts; without it the history is analyzed for them. */
  readonly lookAtUsage?: LookAtUsage;
}
