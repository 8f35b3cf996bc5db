import type { ReportKind } from '../../report/kind.ts';
import type { MadeReport } from '../../report/maker.ts';
import type { ReportOptions } from '../../report/parameter.ts';
import type { AccountStanding } from '../../report/standing.ts';
import type { ShownUsage } from '../../resources/usage/view.ts';

export interface ReportQuestion {
  readonly kind: ReportKind;
  readonly options: ReportOptions;
}

/** The questions whose answers are shown together. */
export interface SetQuestion {
  readonly reports: readonly ReportQuestion[];
  /** Whether budgets and forecasts are shown beside them. */
  readonly withUsage?: boolean;
}

/** Reports of one look at a history: all is of one instant. */
export interface ReportSet {
  /** Epoch milliseconds. */
  readonly at: number;
  /** The accounts that it rests on. */
  readonly accounts: readonly AccountStanding[];
  /** In the order of the questions; absent where what they rest on is not whole. */
  readonly reports?: readonly MadeReport[];
  /** Budgets and forecasts; absent where they are not asked for, and before the history was analyzed. */
  readonly usage?: ShownUsage;
}

/** A report that is not made, as what it rests on is not whole. */
export class NotWhole extends Error {
  override name = 'NotWhole';
  readonly accounts: readonly AccountStanding[];

  constructor(accounts: readonly AccountStanding[]) {
    super('what the report rests on is not whole');
    this.accounts = accounts;
  }
}

/** The accounts that questions are of; undefined where that is all of them. */
export function accountsAsked(questions: readonly ReportQuestion[]): ReadonlySet<string> | undefined {
  const asked = questions.map(({ options: { account, project } }) => account ?? project?.split('/')[0]);
  return asked.includes(undefined) ? undefined : new Set(asked.filter(each => each !== undefined));
}
