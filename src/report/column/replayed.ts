import type { NotReplayed, ReplayedPast } from '../../cost/finding/replayed-past.ts';
import type { SettledSaving } from '../../cost/finding/saving.ts';
import { amountOf, showAmount } from '../../cost/money/money.ts';
import { dayMs, secondMs } from '../../resources/duration.ts';
import type { EndpointHistory } from '../../resources/endpoint-history.ts';
import type { Saving } from '../../resources/finding.ts';
import { hourDecimals } from '../format/hour-text.ts';
import { type Cell, column, type TypedColumn } from '../format/report.ts';

/** The past of an endpoint, replayed with other settings. */
export interface Replayed {
  readonly past: EndpointHistory;
  readonly outcome: ReplayedPast | NotReplayed;
  readonly saving?: SettledSaving | undefined;
  /** Of money. */
  readonly decimals: number;
  /** How long after its last use it is suspended now; undefined where that is not known. */
  readonly delayMs: number | undefined;
  readonly usedHours: number;
}

/** Nothing is known of how much it used. */
const unusedOutcomes: readonly NotReplayed[] = ['too_young', 'asleep', 'size_unknown'];

export const replayedColumns = [
  column('account', 'text', 'The account.', row => row.past.account),
  column('project_id', 'text', 'The id of the project.', row => row.past.project_id),
  column('endpoint_id', 'text', 'The endpoint.', row => row.past.endpoint_id),
  {
    ...{ key: 'suspend_delay_seconds', kind: 'count', title: 'suspends after s' },
    about: 'How long after its last use it is suspended now.',
    of: ({ delayMs }) => (delayMs === undefined ? undefined : Math.round(delayMs / secondMs)),
  },
  {
    ...{ key: 'min_cu', kind: 'decimal', title: 'smallest CU', about: 'Its smallest size now.' },
    of: ({ past }) => past.minCu?.toString(),
  },
  {
    ...{ key: 'used_hours_per_month', kind: 'decimal', title: 'hours used' },
    about: 'Compute hours that it used in 30 days.',
    of: ({ usedHours, outcome }) =>
      typeof outcome === 'string' && unusedOutcomes.includes(outcome) ? undefined : showHours(usedHours),
  },
  {
    ...{ key: 'saved_hours_per_month', kind: 'decimal', title: 'likely saved hours' },
    about: 'Compute hours in 30 days that would likely have been saved.',
    of: ({ outcome, saving }) => (typeof outcome === 'string' ? undefined : showHours(saving?.hours.likely)),
  },
  {
    ...{ key: 'most_saved_hours_per_month', kind: 'decimal', title: 'saved hours at most' },
    about: 'Compute hours in 30 days that would have been saved at most.',
    of: ({ outcome, saving }) =>
      typeof outcome === 'string' ? undefined : showHours(saving?.hours.most ?? 0),
  },
] satisfies readonly TypedColumn<Replayed>[];
export const replayedMoneyColumns = [
  {
    ...{ key: 'saved_cost_per_month', kind: 'decimal', title: 'likely saved cost' },
    about: 'Money in 30 days that would likely have been saved.',
    of: replayed => showMoney(replayed, 'likely'),
  },
  {
    ...{ key: 'most_saved_cost_per_month', kind: 'decimal', title: 'saved cost at most' },
    about: 'Money in 30 days that would have been saved at most.',
    of: replayed => showMoney(replayed, 'most'),
  },
] satisfies readonly TypedColumn<Replayed>[];
export const replayedRiskColumns = [
  {
    ...{ key: 'more_wakes_per_day', kind: 'decimal', title: 'more wakes a day' },
    about: 'How much more often it would have been woken in a day.',
    of({ past, outcome }) {
      if (typeof outcome === 'string' || outcome.extraWakes === undefined) return undefined;
      return (outcome.extraWakes / ((past.untilAt - past.fromAt) / dayMs)).toFixed(1);
    },
  },
  column('up_to', 'flag', 'Whether nothing tells what it saves but at most.', ({ outcome }) =>
    typeof outcome === 'string' ? undefined : outcome.savedHoursPerMonth.likely === undefined,
  ),
] satisfies readonly TypedColumn<Replayed>[];

function showHours(hours: number | undefined): Cell {
  return hours === undefined ? undefined : showAmount(amountOf(hours.toFixed(6)), hourDecimals);
}

function showMoney({ outcome, saving, decimals }: Replayed, figure: keyof Saving): Cell {
  if (typeof outcome === 'string') return undefined;
  if (saving?.money === undefined) return { missing: 'unpriced' };
  const amount = saving.money[figure];
  return amount && showAmount(amount, decimals);
}
