import { type ReportContent, type ReportSubject, titleOf } from './content.ts';
import { showHours, showHourTotal, showShares } from './format/hour-text.ts';
import type { Column } from './format/report.ts';
import { showInstant } from './format/shown-cell.ts';
import { unattributed } from './row/scope.ts';
import { addUses, gatherUses, noUse } from './row/scoped-use.ts';
import { cutSubject } from './row/step.ts';

const columns: readonly Column[] = [
  { key: 'compute_hours', kind: 'decimal' },
  { key: 'share_percent', kind: 'decimal', title: 'share %' },
  { key: 'reconstructed_lower_hours', kind: 'decimal', title: 'at least' },
  { key: 'reconstructed_upper_hours', kind: 'decimal', title: 'at most' },
  { key: 'awake_hours', kind: 'decimal' },
  { key: 'starts', kind: 'count' },
];

/** The report of use: as the service counts it, and as it follows from the states of the endpoints. */
export function reportUsage(subject: ReportSubject): ReportContent {
  const { history, request, rule } = subject;
  const steps = cutSubject(subject).map(gatherUses);
  const shown = steps.flatMap(uses =>
    uses
      .filter(({ use }) => Object.values(use).some(value => value > 0))
      .sort((a, b) => b.use.usedCuMs - a.use.usedCuMs || (a.scope.key < b.scope.key ? -1 : 1)),
  );
  const uses = shown.map(({ use }) => use);
  const keys = shown.map(({ scope }) => scope.key);
  const used = uses.map(use => use.usedCuMs);
  const lower = uses.map(use => use.lowerCuMs);
  const upper = uses.map(use => use.upperCuMs);
  const awake = uses.map(use => use.awakeMs);
  const isAwakeKept = request.span.fromAt >= history.keptFromAt.samples;
  const areStartsKept = request.span.fromAt >= history.keptFromAt.operations;
  const total = uses.reduce(addUses, noUse);
  const [usedTexts, shares, lowerTexts, upperTexts, awakeTexts] = [
    showHours(used, keys),
    showShares(used),
    showHours(lower, keys),
    showHours(upper, keys),
    showHours(awake, keys),
  ];
  return {
    title: titleOf('Usage', request),
    columns: [...rule.columns, ...columns],
    rows: shown.map(({ scope, use }, index) => [
      ...scope.cells,
      ...[usedTexts[index], shares[index], lowerTexts[index], upperTexts[index]],
      isAwakeKept ? awakeTexts[index] : undefined,
      areStartsKept ? use.starts : undefined,
    ]),
    totals: [
      ...rule.columns.map((_, index) => (index === 0 ? 'total' : '')),
      ...[showHourTotal(used), total.usedCuMs > 0 ? '100.0' : undefined],
      ...[showHourTotal(lower), showHourTotal(upper)],
      isAwakeKept ? showHourTotal(awake) : undefined,
      areStartsKept ? total.starts : undefined,
    ],
    notes: describe(subject, steps.flat().length - shown.length),
    gaps: [],
  };
}

function describe({ request, history }: ReportSubject, idle: number): string[] {
  const { fromAt, timezone } = request.span;
  const { samples, operations } = history.keptFromAt;
  const notes = [
    'Compute hours are what the service counted (cpu_used_sec); at least and at most are the hours that follow from what the endpoints did and their sizes.',
  ];
  if (request.by === 'endpoint') {
    notes.push(
      `The service counts by project: its hours are shared out by day in proportion to the reconstructed ones, and are ${unattributed} where no endpoint is known to have been awake.`,
    );
  }
  if (idle > 0 && request.step !== undefined) notes.push('Rows in which nothing was used are left out.');
  else if (idle > 0) {
    notes.push(
      `${idle} ${request.by}${idle === 1 ? '' : 's'} used nothing and ${idle === 1 ? 'is' : 'are'} left out.`,
    );
  }
  if (fromAt < samples) notes.push(`Awake hours are kept only from ${showInstant(samples, timezone)} on.`);
  if (fromAt < operations) notes.push(`Starts are kept only from ${showInstant(operations, timezone)} on.`);
  return notes;
}
