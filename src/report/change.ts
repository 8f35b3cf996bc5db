import { findingWindowMs } from '../cost/finding/month-use.ts';
import {
  monthUseOf,
  type NotReplayed,
  type ReplayedPast,
  replayPast,
} from '../cost/finding/replayed-past.ts';
import { priceSavings } from '../cost/finding/saving.ts';
import { suspendDelayOf } from '../cost/finding/suspend-delay.ts';
import { type Amount, amountOf, currencyDecimals, showAmount } from '../cost/money/money.ts';
import { assignPlans } from '../cost/price/plan-assignment.ts';
import { dayMs, secondMs } from '../resources/duration.ts';
import type { EndpointHistory } from '../resources/endpoint-history.ts';
import { isInReport } from './chosen-project.ts';
import type { ReportContent, ReportSubject } from './content.ts';
import type { Cell, Column } from './format/report.ts';
import { estimateUse } from './row/found.ts';

const columns: readonly Column[] = [
  { key: 'account', kind: 'text' },
  { key: 'project_id', kind: 'text' },
  { key: 'endpoint_id', kind: 'text' },
  { key: 'suspend_delay_seconds', kind: 'count', title: 'suspends after s' },
  { key: 'min_cu', kind: 'decimal', title: 'smallest CU' },
  { key: 'used_hours_per_month', kind: 'decimal', title: 'hours a month' },
  { key: 'saved_hours_per_month', kind: 'decimal', title: 'saved hours' },
];
const moneyColumn: Column = { key: 'saved_cost_per_month', kind: 'decimal', title: 'saved cost' };
const lastColumns: readonly Column[] = [
  { key: 'more_wakes_per_day', kind: 'decimal', title: 'more wakes a day' },
  { key: 'up_to', kind: 'flag' },
];
const hourDecimals = 2;

interface Replayed {
  readonly past: EndpointHistory;
  readonly outcome: ReplayedPast | NotReplayed;
  readonly money?: Amount | undefined;
}

/**
 * The report of what the endpoints of a project would have saved with other settings, by the same sums as findings: so a
 * finding's own proposal saves what the finding says.
 */
export function reportChange(subject: ReportSubject): ReportContent {
  const { pricing } = subject.request.config;
  const replayed = replayEndpoints(subject);
  const decimals = pricing === undefined ? 0 : currencyDecimals(pricing.displayCurrency);
  const moneyOf = ({ outcome, money }: Replayed): Cell => {
    if (typeof outcome === 'string') return undefined;
    return money === undefined ? { missing: 'unpriced' } : showAmount(money, decimals);
  };
  return {
    title: 'Other settings',
    ...(pricing && { currency: pricing.displayCurrency }),
    columns: [...columns, ...(pricing ? [moneyColumn] : []), ...lastColumns],
    rows: replayed.map(each => [
      ...describePast(each),
      ...(pricing ? [moneyOf(each)] : []),
      ...describeOutcome(each),
    ]),
    notes: [windowNote, ...replayed.flatMap(describeUnknown)],
    gaps: [],
  };
}

const windowNote =
  'The past 28 days of each endpoint are replayed, and a month is 30 days. A saving less than 0 is what it would have used more; "up to" says that it may save less.';

function replayEndpoints(subject: ReportSubject): readonly Replayed[] {
  const { history, request, groups } = subject;
  const {
    change = {},
    config: { pricing },
  } = request;
  const { untilAt } = request.span;
  const project = history.usage.projects.find(each => isInReport(request, each));
  if (project === undefined) return [];
  const pasts = history.endpoints.endpoints(project, () => untilAt - findingWindowMs, untilAt);
  const replayed = pasts.map(past => ({ past, outcome: replayPast(past, change) }));
  if (pricing === undefined) return replayed;
  const at = untilAt - 1;
  const assignments = assignPlans(pricing, history.usage.projects, groups.groupsOf, at);
  const month = { book: pricing, assignments, at, monthUse: estimateUse(history, untilAt) };
  const { project_ref } = project;
  const savings = priceSavings(
    month,
    replayed.map(({ outcome }) => ({
      project_ref,
      computeHours: typeof outcome === 'string' ? 0 : outcome.savedHoursPerMonth,
    })),
  );
  return replayed.map((each, index) => ({ ...each, money: savings[index] }));
}

function describePast({ past, outcome }: Replayed): Cell[] {
  const delayMs = suspendDelayOf(past);
  const show = (hours: number) => showAmount(amountOf(hours.toFixed(6)), hourDecimals);
  return [
    ...[past.account, past.project_id, past.endpoint_id],
    delayMs === undefined ? undefined : Math.round(delayMs / secondMs),
    past.minCu?.toString(),
    outcome === 'asleep' || outcome === 'size_unknown' ? undefined : show(monthUseOf(past)),
    typeof outcome === 'string' ? undefined : show(outcome.savedHoursPerMonth),
  ];
}

function describeOutcome({ past, outcome }: Replayed): Cell[] {
  if (typeof outcome === 'string') return [undefined, undefined];
  const { extraWakes, isUpperBound } = outcome;
  const days = (past.untilAt - past.fromAt) / dayMs;
  return [extraWakes === undefined ? undefined : (extraWakes / days).toFixed(1), isUpperBound];
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
