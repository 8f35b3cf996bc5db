import { type CostLine, sumLines } from '../cost/rating/cost-line.ts';
import type { ReportContent, ReportSubject } from './content.ts';
import { focusColumns } from './format/focus-column.ts';
import { describeLine } from './format/focus-line.ts';
import { tabulate } from './format/report.ts';
import { ledgersOf } from './ledger-note.ts';
import { describeMoney } from './money-note.ts';
import { knownCharges, priceUse, requirePricing } from './row/scoped-cost.ts';
import { cutSubject } from './row/step.ts';

/**
 * The report in the form of the FinOps Open Cost and Usage Specification 1.2: a row for each charge, and of use for each step.
 *
 * @throws Failure when the configuration has no prices.
 */
export function reportFocus(subject: ReportSubject): ReportContent {
  const book = requirePricing(subject.request);
  const costing = priceUse(subject, book);
  const lines = [
    ...cutSubject(subject).flatMap(({ request }) => [...costing.usageLines(request.span)]),
    ...knownCharges(subject, costing),
  ];
  const priced = lines.filter(({ charge }) => charge !== undefined);
  const unpriced = lines.filter(({ charge }) => charge === undefined);
  return {
    title: 'FOCUS 1.2 cost and usage',
    ...tabulate(
      focusColumns,
      priced.map(line => ({
        ...describeLine(line, book),
        ...{ tags: tagsOf(line, subject), ledgers: ledgersOf(subject.history, book, line).join('+') },
      })),
    ),
    // The specification has no row without a cost.
    ...describeMoney(subject, book, costing, [sumLines(unpriced)]),
  };
}

/** The groups of a line's project, as an object of JSON; undefined where there are none. */
function tagsOf({ project }: CostLine, { request, groups }: ReportSubject): string | undefined {
  const { groupings } = request.config;
  if (project === undefined || groupings.length === 0) return undefined;
  const tags = groupings.map(({ name }) => [name, groups.groupOf(name, project)]);
  return JSON.stringify(Object.fromEntries(tags));
}
