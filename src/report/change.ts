import { findingWindowMs } from '../cost/finding/month-use.ts';
import {
  type NotReplayed,
  type ReplayedPast,
  replayPast,
  usedHoursOf,
} from '../cost/finding/replayed-past.ts';
import { type SettledSaving, settleSavings } from '../cost/finding/saving.ts';
import { suspendDelayOf } from '../cost/finding/suspend-delay.ts';
import { amountOf, currencyDecimals, showAmount } from '../cost/money/money.ts';
import { assignPlans } from '../cost/price/plan-assignment.ts';
import { dayMs, secondMs } from '../resources/duration.ts';
import type { EndpointHistory } from '../resources/endpoint-history.ts';
import type { Saving } from '../resources/finding.ts';
import { isInReport } from './chosen-project.ts';
import type { ReportContent, ReportSubject } from './content.ts';
import { hourDecimals } from './format/hour-text.ts';
import { type Cell, type TypedColumn, tabulate } from './format/report.ts';
import { spendMonth } from './row/found.ts';

/** The past of an endpoint, replayed with other settings. */
interface Replayed {
  readonly past: EndpointHistory;
  readonly outcome: ReplayedPast | NotReplayed;
  readonly saving?: SettledSaving | undefined;
  /** Of money. */
  readonly decimals: number;
}

const columns = [
  { key: 'account', kind: 'text', about: 'The account.', of: row => row.past.account },
  { key: 'project_id', kind: 'text', about: 'The id of the project.', of: row => row.past.project_id },
  { key: 'endpoint_id', kind: 'text', about: 'The endpoint.', of: row => row.past.endpoint_id },
  {
    ...{ key: 'suspend_delay_seconds', kind: 'count', title: 'suspends after s' },
    about: 'How long after its last use it is suspended now.',
    of({ past }) {
      const delayMs = suspendDelayOf(past);
      return delayMs === undefined ? undefined : Math.round(delayMs / secondMs);
    },
  },
  {
    ...{ key: 'min_cu', kind: 'decimal', title: 'smallest CU', about: 'Its smallest size now.' },
    of: ({ past }) => past.minCu?.toString(),
  },
  {
    ...{ key: 'used_hours_per_month', kind: 'decimal', title: 'hours used' },
    about: 'Compute hours that it used in 30 days.',
    of: ({ past, outcome }) =>
      outcome === 'asleep' || outcome === 'size_unknown' ? undefined : showHours(usedHoursOf(past)),
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
const moneyColumns = [
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
const lastColumns = [
  {
    ...{ key: 'more_wakes_per_day', kind: 'decimal', title: 'more wakes a day' },
    about: 'How much more often it would have been woken in a day.',
    of({ past, outcome }) {
      if (typeof outcome === 'string' || outcome.extraWakes === undefined) return undefined;
      return (outcome.extraWakes / ((past.untilAt - past.fromAt) / dayMs)).toFixed(1);
    },
  },
  {
    ...{ key: 'up_to', kind: 'flag', about: 'Whether nothing tells what it saves but at most.' },
    of: ({ outcome }) =>
      typeof outcome === 'string' ? undefined : outcome.savedHoursPerMonth.likely === undefined,
  },
] satisfies readonly TypedColumn<Replayed>[];

/** All columns of replayed endpoints. */
export const replayedColumns = [...columns, ...moneyColumns, ...lastColumns];

/**
 * The report of what the endpoints of a project would have saved with other settings, by the same sums as findings: so a
 * finding's own proposal saves what the finding says.
 */
export function reportChange(subject: ReportSubject): ReportContent {
  const { pricing } = subject.request.config;
  const replayed = replayEndpoints(subject);
  return {
    title: 'Other settings',
    ...(pricing && { currency: pricing.displayCurrency }),
    ...tabulate([...columns, ...(pricing ? moneyColumns : []), ...lastColumns], replayed),
    notes: [windowNote, ...replayed.flatMap(describeUnknown)],
    gaps: [],
  };
}

const windowNote =
  'The past 30 days of each endpoint are replayed, as far as they are known. A saving less than 0 is what it would have used more. Likely is what the past shows that would have been saved; at most is what may have been. Where nothing shows what is likely, that is left out.';

function replayEndpoints(subject: ReportSubject): readonly Replayed[] {
  const { history, request, groups } = subject;
  const {
    change = {},
    config: { pricing },
    span: { untilAt },
  } = request;
  const project = history.usage.projects.find(each => isInReport(request, each));
  if (project === undefined) return [];
  const pasts = history.endpoints.endpoints(project, () => untilAt - findingWindowMs, untilAt);
  const replayed = pasts.map(past => ({ past, outcome: replayPast(past, change) }));
  const assignments =
    pricing === undefined ? [] : assignPlans(pricing, history.usage.projects, groups.groupsOf, untilAt - 1);
  const { project_ref } = project;
  const month = spendMonth(subject, assignments, each => each.project_ref === project_ref);
  const savings = settleSavings(
    month,
    replayed.map(({ outcome }) => ({
      project_ref,
      hours: typeof outcome === 'string' ? { most: 0 } : outcome.savedHoursPerMonth,
    })),
  );
  const decimals = pricing === undefined ? 0 : currencyDecimals(pricing.displayCurrency);
  return replayed.map((each, index) => ({ ...each, saving: savings[index], decimals }));
}

function showHours(hours: number | undefined): Cell {
  return hours === undefined ? undefined : showAmount(amountOf(hours.toFixed(6)), hourDecimals);
}

function showMoney({ outcome, saving, decimals }: Replayed, figure: keyof Saving): Cell {
  if (typeof outcome === 'string') return undefined;
  if (saving?.money === undefined) return { missing: 'unpriced' };
  const amount = saving.money[figure];
  return amount && showAmount(amount, decimals);
}

const reasons: Readonly<Record<NotReplayed, string>> = {
  asleep: 'it was not awake',
  size_unknown: 'its size is not known',
  delay_unknown: 'when it is suspended now is not known',
  uses_unknown: 'too little is known of when it was used',
};

function describeUnknown({ past, outcome }: Replayed): string[] {
  return typeof outcome === 'string'
    ? [`Nothing can be said of ${past.endpoint_id}: ${reasons[outcome]}.`]
    : [];
}
