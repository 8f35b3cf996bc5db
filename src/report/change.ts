import { type NotReplayed, replayPast, usedHoursOf } from '../cost/finding/replayed-past.ts';
import { findingWindowMs, settleSavings, spendMonth } from '../cost/finding/saving.ts';
import { suspendDelayOf } from '../cost/finding/suspend-delay.ts';
import { currencyDecimals } from '../cost/money/money.ts';
import { isInReport } from './chosen-project.ts';
import {
  type Replayed,
  replayedColumns,
  replayedMoneyColumns,
  replayedRiskColumns,
} from './column/replayed.ts';
import type { ReportContent, ReportSubject } from './content.ts';
import { tabulate } from './format/report.ts';
import { reviewCaseOf } from './row/found-finding.ts';

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
    ...tabulate(
      [...replayedColumns, ...(pricing ? replayedMoneyColumns : []), ...replayedRiskColumns],
      replayed,
    ),
    notes: [windowNote, ...replayed.flatMap(describeUnknown)],
    gaps: [],
  };
}

const windowNote =
  'The 30 days of each endpoint before the last whole hour are replayed, as far as they are known. A saving less than 0 is what it would have used more. Likely is what the past shows that would have been saved; at most is what may have been. Where nothing shows what is likely, that is left out.';

function replayEndpoints(subject: ReportSubject): readonly Replayed[] {
  const { history, request } = subject;
  const {
    change = {},
    config: { pricing },
  } = request;
  const project = history.usage.projects.find(each => isInReport(request, each));
  if (project === undefined) return [];
  const review = reviewCaseOf(subject, project.account);
  const { untilAt } = review;
  const pasts = history.endpoints.endpoints(project, () => untilAt - findingWindowMs, untilAt);
  const replayed = pasts.map(past => ({ past, outcome: replayPast(past, change) }));
  const { project_ref } = project;
  const month = spendMonth(
    { ...review, usage: history.usage },
    history.usage.projects,
    each => each.project_ref === project_ref,
  );
  const savings = settleSavings(
    month,
    replayed.map(({ outcome }) => ({
      project_ref,
      hours: typeof outcome === 'string' ? { most: 0 } : outcome.savedHoursPerMonth,
    })),
  );
  const decimals = pricing === undefined ? 0 : currencyDecimals(pricing.displayCurrency);
  return replayed.map((each, index) => ({
    ...{ ...each, saving: savings[index], decimals },
    ...{ delayMs: suspendDelayOf(each.past), usedHours: usedHoursOf(each.past) },
  }));
}

const reasons: Readonly<Record<NotReplayed, string>> = {
  too_young: 'no whole hour of it is known',
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
