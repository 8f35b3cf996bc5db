import type { MadeReport } from '../../../report/maker.ts';
import type { AccountStanding } from '../../../report/standing.ts';
import { writeInstant } from '../../answer-value.ts';
import type { ConsoleConfig } from '../../console-config.ts';
import type { ReportQuestion } from '../../report-cache/report-set.ts';
import { readRows } from '../../report-row.ts';
import type { ProjectsAnswer } from './projects-answer.ts';

/** The reports that figures of projects are from. */
export const figureNames = ['usage', 'cost', 'findings', 'forecast'] as const;
export type FigureName = (typeof figureNames)[number];

/** The question of each of these reports: all of the billing period, so that what is missing in it is said once. */
export const figureReports: Readonly<Record<FigureName, ReportQuestion>> = {
  usage: { kind: 'usage', options: { period: 'billing', by: 'project' } },
  cost: { kind: 'cost', options: { period: 'billing', by: 'project' } },
  findings: { kind: 'findings', options: { period: 'billing' } },
  forecast: { kind: 'forecast', options: { by: 'project' } },
};

/** The figures that there are: without prices there are no costs. */
export function figuresOf({ pricing }: Pick<ConsoleConfig, 'pricing'>): readonly FigureName[] {
  return figureNames.filter(name => (name !== 'cost' && name !== 'forecast') || pricing !== undefined);
}

/** The reports of one look at the history. */
export interface FigureLook {
  /** Epoch milliseconds. */
  readonly at: number;
  readonly accounts: readonly AccountStanding[];
  /** Absent where what they rest on is not whole. */
  readonly reports?: Readonly<Partial<Record<FigureName, MadeReport>>> | undefined;
  /** The figures that cannot be worked out, and why. */
  readonly failed: readonly { readonly name: FigureName; readonly message: string }[];
}

/** The frame of all figures: their instant, period, currency, charges of accounts and notes. */
export type FiguresSaid = Pick<
  ProjectsAnswer,
  'as_of' | 'period' | 'currency' | 'partial' | 'notes' | 'charges'
>;

/** Says of figures together what their reports say of each. */
export function describeFigures({ at, reports }: Partial<FigureLook> = {}): FiguresSaid {
  const { usage, cost, findings } = reports ?? {};
  const made = figureNames.flatMap(name => reports?.[name] ?? []);
  const period = (usage ?? cost)?.period;
  return {
    as_of: reports === undefined || at === undefined ? null : writeInstant(at),
    period: period ? { from: writeInstant(period.fromAt), until: writeInstant(period.untilAt) } : null,
    currency: cost?.currency ?? findings?.currency ?? null,
    partial: made.some(({ partial }) => partial),
    notes: [...new Set([...made.flatMap(({ gaps }) => gaps), ...made.flatMap(({ notes }) => notes)])],
    charges: cost === undefined ? [] : listCharges(cost),
  };
}

/** Rows of charges, which are for a billing period, are for no project. */
function listCharges(cost: MadeReport): ProjectsAnswer['charges'] {
  return readRows<'cost'>(cost).flatMap(({ account, project_id, billing_period, cost }) =>
    billing_period
      ? [{ account: account ?? '', charge: project_id ?? '', billing_period, cost: cost ?? null }]
      : [],
  );
}
