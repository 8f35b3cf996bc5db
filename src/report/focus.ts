import { type CostLine, sumLines } from '../cost/rating/cost-line.ts';
import { findAcceptedUse } from './accepted-gap.ts';
import type { ReportContent, ReportSubject } from './content.ts';
import { describeUnknown } from './format/cost-text.ts';
import { focusColumns } from './format/focus-column.ts';
import { describeLine } from './format/focus-line.ts';
import { describeLedgers, ledgersOf } from './ledger-note.ts';
import { describeUnreadMinimums } from './minimum-note.ts';
import { knownCharges, priceUse, requirePricing } from './row/scoped-cost.ts';
import { cutSubject } from './row/step.ts';
import { describeUnpricedThings } from './unpriced-thing.ts';

/**
 * The report in the form of the FinOps Open Cost and Usage Specification: a row for each charge, and of use for each step.
 *
 * @throws Failure when the configuration has no prices.
 */
export function reportFocus(subject: ReportSubject): ReportContent {
  const { focusVersion } = subject.request;
  const book = requirePricing(subject);
  const costing = priceUse(subject, book);
  const lines = [
    ...cutSubject(subject).flatMap(({ request }) => [...costing.usageLines(request.span)]),
    ...knownCharges(subject, costing),
  ];
  const priced = lines.filter(({ charge }) => charge !== undefined);
  const unpriced = lines.filter(({ charge }) => charge === undefined);
  const accepted = findAcceptedUse(subject, book);
  const columns = focusColumns(focusVersion);
  return {
    title: `FOCUS ${focusVersion} cost and usage`,
    columns,
    rows: priced.map(line => {
      const ledgers = ledgersOf(subject.history, book, line).join('+');
      const row = { ...describeLine(line, book, tagsOf(line, subject)), x_ComputeLedger: ledgers };
      return columns.map(({ key }) => row[key]);
    }),
    notes: [
      ...describeLedgers(subject, book),
      ...describeUnpricedThings(costing, subject.request, book),
      ...accepted.notes,
    ],
    // The specification has no row without a cost.
    gaps: [
      ...describeUnknown([{ sum: sumLines(unpriced) }], accepted.cuMs),
      ...describeUnreadMinimums(subject, book),
    ],
  };
}

/** The groups of a line's project, as an object of JSON; undefined where there are none. */
function tagsOf({ project }: CostLine, { request, groups }: ReportSubject): string | undefined {
  const { groupings } = request.config;
  if (project === undefined || groupings.length === 0) return undefined;
  const tags = groupings.map(({ name }) => [name, groups.groupOf(name, project)]);
  return JSON.stringify(Object.fromEntries(tags));
}
