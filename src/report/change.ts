import { findingWindowMs } from '../cost/finding/month-use.ts';
import {
  type NotReplayed,
  type ReplayedPast,
  replayPast,
  usedHoursOf,
} from '../cost/finding/replayed-past.ts';
import { type SettledSaving, settleSavings } from '../cost/finding/saving.ts';
import { suspendDelayOf } from '../cost/finding/suspend-delay.ts';
import { type Amount, amountOf, currencyDecimals, showAmount } from '../cost/money/money.ts';
import { assignPlans } from '../cost/price/plan-assignment.ts';
import { dayMs, secondMs } from '../resources/duration.ts';
import type { EndpointHistory } from '../resources/endpoint-history.ts';
import type { Saving } from '../resources/finding.ts';
import { isInReport } from './chosen-project.ts';
import type { ReportContent, ReportSubject } from './content.ts';
import { hourDecimals } from './format/hour-text.ts';
import type { Cell, Column } from './format/report.ts';
import { spendMonth } from './row/found.ts';

const columns: readonly Column[] = [
  { key: 'account', kind: 'text' },
  { key: 'project_id', kind: 'text' },
  { key: 'endpoint_id', kind: 'text' },
  { key: 'suspend_delay_seconds', kind: 'count', title: 'suspends after s' },
  { key: 'min_cu', kind: 'decimal', title: 'smallest CU' },
  { key: 'used_hours_per_month', kind: 'decimal', title: 'hours used' },
  { key: 'saved_hours_per_month', kind: 'decimal', title: 'likely saved hours' },
  { key: 'most_saved_hours_per_month', kind: 'decimal', title: 'saved hours at most' },
];
const moneyColumns: readonly Column[] = [
  { key: 'saved_cost_per_month', kind: 'decimal', title: 'likely saved cost' },
  { key: 'most_saved_cost_per_month', kind: 'decimal', title: 'saved cost at most' },
];
const lastColumns: readonly Column[] = [
  { key: 'more_wakes_per_day', kind: 'decimal', title: 'more wakes a day' },
  { key: 'up_to', kind: 'flag' },
];

interface Replayed {
  readonly past: EndpointHistory;
  readonly outcome: ReplayedPast | NotReplayed;
  readonly saving?: SettledSaving | undefined;
}

/**
 * The report of what the endpoints of a project would have saved with other settings, by the same sums as findings: so a
 * finding's own proposal saves what the finding says.
 */
export function reportChange(subject: ReportSubject): ReportContent {
  const { pricing } = subject.request.config;
  const replayed = replayEndpoints(subject);
  const decimals = pricing === undefined ? 0 : currencyDecimals(pricing.displayCurrency);
  const moneyOf = ({ outcome, saving }: Replayed): Cell[] => {
    if (typeof outcome === 'string') return moneyColumns.map(() => undefined);
    const money = saving?.money;
    return money === undefined
      ? moneyColumns.map(() => ({ missing: 'unpriced' }))
      : showBoth(money, decimals);
  };
  return {
    title: 'Other settings',
    ...(pricing && { currency: pricing.displayCurrency }),
    columns: [...columns, ...(pricing ? moneyColumns : []), ...lastColumns],
    rows: replayed.map(each => [
      ...describePast(each),
      ...(pricing ? moneyOf(each) : []),
      ...describeOutcome(each),
    ]),
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
  return replayed.map((each, index) => ({ ...each, saving: savings[index] }));
}

function describePast({ past, outcome, saving }: Replayed): Cell[] {
  const delayMs = suspendDelayOf(past);
  const inHours = (hours: number) => amountOf(hours.toFixed(6));
  const { likely, most = 0 } = saving?.hours ?? {};
  const hours = { ...(likely !== undefined && { likely: inHours(likely) }), most: inHours(most) };
  return [
    ...[past.account, past.project_id, past.endpoint_id],
    delayMs === undefined ? undefined : Math.round(delayMs / secondMs),
    past.minCu?.toString(),
    outcome === 'asleep' || outcome === 'size_unknown'
      ? undefined
      : showAmount(inHours(usedHoursOf(past)), hourDecimals),
    ...(typeof outcome === 'string' ? [undefined, undefined] : showBoth(hours, hourDecimals)),
  ];
}

function showBoth({ likely, most }: Saving<Amount>, decimals: number): Cell[] {
  return [likely && showAmount(likely, decimals), showAmount(most, decimals)];
}

function describeOutcome({ past, outcome }: Replayed): Cell[] {
  if (typeof outcome === 'string') return [undefined, undefined];
  const { extraWakes, savedHoursPerMonth } = outcome;
  const days = (past.untilAt - past.fromAt) / dayMs;
  const isUpTo = savedHoursPerMonth.likely === undefined;
  return [extraWakes === undefined ? undefined : (extraWakes / days).toFixed(1), isUpTo];
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
