import { type ReportContent, type ReportSubject, titleOf } from './content.ts';
import { showHours, showHourTotal, showMostHours, showMostTotal, showShares } from './format/hour-text.ts';
import { type Cell, column, type TypedColumn, tabulate, titleOfColumn } from './format/report.ts';
import { capital, showInstant } from './format/shown-cell.ts';
import { type MeteredColumn, type MeteredRow, meteredColumns, showMetered } from './metered-column.ts';
import { MeteredReading } from './row/metered-use.ts';
import { keepRows, noScope, unattributed } from './row/scope.ts';
import { addUses, gatherUses, isNoUse, noUse, type ScopedUse, type UseSum } from './row/scoped-use.ts';
import { cutSubject } from './row/step.ts';

/** Figures of a row that add up to the total as it is shown. */
interface ShownUse {
  readonly used: Cell;
  readonly share: Cell;
  readonly lower: Cell;
  readonly upper: Cell;
  readonly awake: Cell;
}

interface UsageRow extends ScopedUse, MeteredRow {
  readonly shown: ShownUse | undefined;
  /** Whether readings and operations of the whole period are kept. */
  readonly areSamplesKept: boolean;
  readonly areOperationsKept: boolean;
}

/** The columns of use, without what is metered. */
export const usageColumns = [
  column('compute_hours', 'decimal', 'Compute hours that the service counted.', ({ use, shown }) =>
    use.isReported ? shown?.used : undefined,
  ),
  {
    ...{ key: 'share_percent', kind: 'decimal', title: 'share %', about: 'The part of all compute hours.' },
    of: ({ use, shown }) => (use.isReported ? shown?.share : undefined),
  },
  {
    ...{ key: 'reconstructed_lower_hours', kind: 'decimal', title: 'at least' },
    about: 'Compute hours that endpoints used at least, by their states and sizes.',
    of: ({ use, shown }) => (isWatched(use) ? shown?.lower : undefined),
  },
  {
    ...{ key: 'reconstructed_upper_hours', kind: 'decimal', title: 'at most' },
    about: 'Compute hours that endpoints used at most, by their states and sizes.',
    of: ({ use, shown }) => (isWatched(use) ? shown?.upper : undefined),
  },
  column(
    'awake_hours',
    'decimal',
    'Hours in which endpoints were awake.',
    ({ use, shown, areSamplesKept }) => (areSamplesKept && isWatched(use) ? shown?.awake : undefined),
  ),
  column('starts', 'count', 'How often endpoints were started.', ({ use, areOperationsKept }) =>
    areOperationsKept && isWatched(use) ? use.starts : undefined,
  ),
] satisfies readonly TypedColumn<UsageRow>[];

/** The report of use: as the service counts it, as it follows from the states of the endpoints, and as it is metered. */
export function reportUsage(subject: ReportSubject): ReportContent {
  const { history, request, rule } = subject;
  const rules = request.config.pricing?.meter;
  const meter = new MeteredReading(history, rules);
  const metered = meteredColumns(meter.metrics, rules);
  const { top } = request;
  const kept =
    top === undefined
      ? subject
      : keepRows(subject, [...gatherUses(subject, meter)].sort(mostFirst).slice(0, top));
  const steps = cutSubject(kept).map(step => gatherUses(step, meter));
  const shown = steps.flatMap(uses => uses.filter(({ use }) => !isNoUse(use)).sort(mostFirst));
  const sum = shown.map(({ use }) => use).reduce(addUses, noUse);
  const { rows, total } = showUses(shown);
  const ofMeter = showMetered(metered, shown);
  const { samples, operations } = history.keptFromAt;
  const isKept = {
    areSamplesKept: request.span.fromAt >= samples,
    areOperationsKept: request.span.fromAt >= operations,
  };
  return {
    title: titleOf('Usage', request),
    ...tabulate<UsageRow>(
      [...rule.columns, ...usageColumns, ...metered],
      shown.map((each, row) => {
        return { ...each, ...isKept, shown: rows[row], metered: ofMeter.rows[row] ?? {} };
      }),
      { scope: noScope, use: sum, ...isKept, shown: total, metered: ofMeter.total },
    ),
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

function showUses(shown: readonly ScopedUse[]): {
  readonly rows: readonly ShownUse[];
  readonly total: ShownUse;
} {
  const uses = shown.map(({ use }) => use);
  const scopes = shown.map(({ scope }) => scope);
  const hours = (amountOf: (use: UseSum) => number) => {
    const values = uses.map(amountOf);
    return { rows: showHours(values, scopes), total: showHourTotal(values) };
  };
  const used = hours(({ usedCuMs }) => usedCuMs);
  const lower = hours(({ lowerCuMs }) => lowerCuMs);
  const awake = hours(({ awakeMs }) => awakeMs);
  const upper = showMostHours(uses, scopes);
  const isAnyUsed = uses.reduce((sum, { usedCuMs }) => sum + usedCuMs, 0) > 0;
  const shares = showShares(uses.map(({ usedCuMs }) => usedCuMs));
  return {
    rows: uses.map((_, row) => ({
      ...{ used: used.rows[row], share: shares[row], awake: awake.rows[row] },
      ...{ lower: lower.rows[row], upper: upper[row] },
    })),
    total: {
      ...{ used: used.total, share: isAnyUsed ? '100.0' : undefined },
      ...{ awake: awake.total, lower: lower.total, upper: showMostTotal(uses) },
    },
  };
}

/** Whether anything tells what endpoints did. */
function isWatched({ isReported, upperCuMs, awakeMs, starts }: UseSum): boolean {
  return isReported || upperCuMs > 0 || awakeMs > 0 || starts > 0;
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
  return capital(last === undefined ? first : `${[first, ...others].join(', ')} and ${last}`);
}
