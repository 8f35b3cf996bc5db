import { type ReportContent, type ReportSubject, titleOf } from './content.ts';
import { showHours, showHourTotal, showMostHours, showMostTotal, showShares } from './format/hour-text.ts';
import { type Cell, type Column, type ReportRow, titleOfColumn } from './format/report.ts';
import { showInstant } from './format/shown-cell.ts';
import { type MeteredColumn, meteredColumns, showMetered } from './metered-column.ts';
import { MeteredReading } from './row/metered-use.ts';
import { unattributed } from './row/scope.ts';
import { addUses, gatherUses, isNoUse, noUse, type ScopedUse, type UseSum } from './row/scoped-use.ts';
import { cutSubject } from './row/step.ts';

const columns: readonly Column[] = [
  { key: 'compute_hours', kind: 'decimal' },
  { key: 'share_percent', kind: 'decimal', title: 'share %' },
  { key: 'reconstructed_lower_hours', kind: 'decimal', title: 'at least' },
  { key: 'reconstructed_upper_hours', kind: 'decimal', title: 'at most' },
  { key: 'awake_hours', kind: 'decimal' },
  { key: 'starts', kind: 'count' },
];

/** The report of use: as the service counts it, as it follows from the states of the endpoints, and as it is metered. */
export function reportUsage(subject: ReportSubject): ReportContent {
  const { history, request, rule } = subject;
  const rules = request.config.pricing?.meter;
  const meter = new MeteredReading(history, rules);
  const metered = meteredColumns(meter.metrics, rules);
  const steps = cutSubject(subject).map(step => gatherUses(step, meter));
  const shown = steps.flatMap(uses => uses.filter(({ use }) => !isNoUse(use)).sort(mostFirst));
  const total = shown.map(({ use }) => use).reduce(addUses, noUse);
  const table = [...listReported(subject, shown), ...listMetered(metered, shown)];
  return {
    title: titleOf('Usage', request),
    columns: [...rule.columns, ...columns, ...metered],
    rows: shown.map(({ scope }, index) => [...scope.cells, ...table.map(({ cells }) => cells[index])]),
    totals: [
      ...rule.columns.map((_, index) => (index === 0 ? 'total' : '')),
      ...table.map(({ totalOf }) => totalOf(total)),
    ],
    notes: [
      ...describe(subject, steps.flat().length - shown.length),
      ...(metered.length > 0 ? describeMetered(subject, metered) : []),
    ],
    gaps: [],
  };
}

function mostFirst(a: ScopedUse, b: ScopedUse): number {
  return (
    b.use.usedCuMs - a.use.usedCuMs ||
    meteredHours(b.use) - meteredHours(a.use) ||
    (a.scope.key < b.scope.key ? -1 : 1)
  );
}

function meteredHours({ metered }: UseSum): number {
  return Number(metered.compute_unit_seconds?.numerator ?? 0);
}

/** The cells of a column below each other, and its total. */
interface ShownColumn {
  readonly cells: ReportRow;
  readonly totalOf: (total: UseSum) => Cell;
}

function listReported({ request, history }: ReportSubject, shown: readonly ScopedUse[]): ShownColumn[] {
  const uses = shown.map(({ use }) => use);
  const scopes = shown.map(({ scope }) => scope);
  const { fromAt } = request.span;
  const { samples, operations } = history.keptFromAt;
  const hours = (amountOf: (use: UseSum) => number, isKnown: (use: UseSum) => boolean): ShownColumn => {
    const values = uses.map(amountOf);
    const texts = showHours(values, scopes);
    return {
      cells: uses.map((use, index) => (isKnown(use) ? texts[index] : undefined)),
      totalOf: total => (isKnown(total) ? showHourTotal(values) : undefined),
    };
  };
  const shares = showShares(uses.map(({ usedCuMs }) => usedCuMs));
  return [
    hours(
      ({ usedCuMs }) => usedCuMs,
      ({ isReported }) => isReported,
    ),
    {
      cells: uses.map(({ isReported }, index) => (isReported ? shares[index] : undefined)),
      totalOf: ({ usedCuMs }) => (usedCuMs > 0 ? '100.0' : undefined),
    },
    hours(({ lowerCuMs }) => lowerCuMs, isWatched),
    {
      cells: showMostHours(uses, scopes).map((text, row) =>
        uses[row] !== undefined && isWatched(uses[row]) ? text : undefined,
      ),
      totalOf: total => (isWatched(total) ? showMostTotal(uses) : undefined),
    },
    hours(
      ({ awakeMs }) => awakeMs,
      use => fromAt >= samples && isWatched(use),
    ),
    {
      cells: uses.map(use => (fromAt >= operations && isWatched(use) ? use.starts : undefined)),
      totalOf: total => (fromAt >= operations && isWatched(total) ? total.starts : undefined),
    },
  ];
}

/** Whether anything tells what endpoints did. */
function isWatched({ isReported, upperCuMs, awakeMs, starts }: UseSum): boolean {
  return isReported || upperCuMs > 0 || awakeMs > 0 || starts > 0;
}

function listMetered(metered: readonly MeteredColumn[], shown: readonly ScopedUse[]): ShownColumn[] {
  const uses = shown.map(({ use }) => use.metered);
  const scopes = shown.map(({ scope }) => scope);
  return metered.map(column => {
    const { cells, total } = showMetered(column, uses, scopes);
    return { cells, totalOf: () => total };
  });
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

/** Sentences on the columns of what is metered: by what they are, what they consist of, and how far the meter is read. */
function describeMetered(subject: ReportSubject, columns: readonly MeteredColumn[]): string[] {
  const shown = columns.filter(({ isForPrograms }) => isForPrograms !== true);
  const isSum = shown.some(({ metrics }) => metrics.length > 1);
  return [
    `${sayList(shown.map(titleOfColumn))} ${shown.length === 1 ? 'is' : 'are'} what the meter of the service says, before anything is free of charge.`,
    ...(isSum && subject.request.format !== 'json'
      ? [
          'Storage is that of branches, instant restore and snapshots together, and transfer is public and private: csv and json have each by itself.',
        ]
      : []),
    ...(subject.request.by === 'endpoint'
      ? [`The meter counts by project: storage, transfer and branches are ${unattributed} of endpoints.`]
      : []),
    ...subject.history.accounts.flatMap(account => describeAccount(subject, account)),
  ];
}

function describeAccount({ history, request }: ReportSubject, account: string): string[] {
  const { fromAt, untilAt, timezone } = request.span;
  const known = history.usage.metered?.knownSpan(account);
  if (known === undefined) return [`The meter of account ${account} is not read.`];
  const show = (at: number) => showInstant(at, timezone);
  if (known.fromAt > fromAt)
    return [`The meter of account ${account} tells nothing before ${show(known.fromAt)}.`];
  return known.untilAt < untilAt
    ? [`What was metered of account ${account} after ${show(known.untilAt)} may still grow.`]
    : [];
}

function sayList(words: readonly string[]): string {
  const [first = '', ...others] = words;
  const last = others.pop();
  const text = last === undefined ? first : `${[first, ...others].join(', ')} and ${last}`;
  return text.charAt(0).toUpperCase() + text.slice(1);
}
