import {
  amountIn,
  createHourSeries,
  type HourSeries,
  hourOf,
  hourSeconds,
  type Month,
  monthOf,
  setAmount,
} from './hour-series.ts';
import { type Column, type MeterUnit, meteredMetrics, otherColumns } from './metered-metric.ts';
import {
  type Addition,
  type BranchMeter,
  type ProjectMeter,
  privateBytesIn,
  publicBytesIn,
  writtenBytesIn,
} from './project-meter.ts';
import { childrenAt, initialStorage, type Storage, storageAfter, storedBytesAt } from './storage.ts';

export interface MeterTerms {
  readonly unit: MeterUnit;
  /** Branches of a project, the root among them, that are not extra. */
  readonly includedBranches: number;
}

/** Metered amounts of a project by hour: worked out when they are asked for, and each hour that has ended once. */
export interface MeterBook {
  readonly columns: Readonly<Record<Column, HourSeries>>;
  checkpoint: MeterCheckpoint;
}

/** Where the book goes on. */
interface MeterCheckpoint {
  readonly hour: number;
  readonly month: Month;
  readonly storage: Storage;
  /** What was too little for a whole unit in the month so far, in parts of the unit. */
  readonly rests: ReadonlyMap<Column, number>;
  /** The sum of the hours of the month before this one. */
  readonly used: ReadonlyMap<Column, number>;
}

/** What was used in an hour, in parts of a unit, and how many parts a unit has. */
type Reading = readonly [column: Column, parts: number, partsOfUnit: number];

const columns = [...meteredMetrics, ...otherColumns] as const;

export function createMeterBook(meter: ProjectMeter): MeterBook {
  const hour = hourOf(meter.createdAt);
  const series = columns.map(column => [column, createHourSeries(meter.createdAt)]);
  return {
    columns: Object.fromEntries(series) as MeterBook['columns'],
    checkpoint: {
      hour,
      month: monthOf(hour),
      storage: initialStorage(meter),
      rests: new Map(),
      used: new Map(),
    },
  };
}

/**
 * Writes all hours up to `now`, the last one as far as it is over. The meter must have counted everything by then.
 * Parts of a unit are carried on from hour to hour through the month and begin anew in the next: so hours add up to
 * days and days to months, each of them in whole units.
 */
export function writeBook(book: MeterBook, meter: ProjectMeter, terms: MeterTerms, now: number): void {
  const until = meter.endedAt ?? now;
  while (book.checkpoint.hour * hourSeconds < until) {
    const next = writeHour(book, meter, terms, until);
    if ((book.checkpoint.hour + 1) * hourSeconds > now) return;
    book.checkpoint = next;
  }
}

/** What was used in the month that `hour`, the present one, lies in; the book must be written up to now. */
export function usedInMonth(
  { columns: series, checkpoint }: MeterBook,
  column: Column,
  hour: number,
): number {
  const { month, used } = checkpoint;
  if (hour < month.firstHour || hour >= month.endHour) return 0;
  return (used.get(column) ?? 0) + amountIn(series[column], checkpoint.hour);
}

/** Returns the checkpoint after the hour. */
function writeHour(book: MeterBook, meter: ProjectMeter, terms: MeterTerms, until: number): MeterCheckpoint {
  const { hour, month, storage, rests, used } = book.checkpoint;
  const writtenBytes =
    sumBranches(meter, branch => writtenBytesIn(branch, hour)) +
    amountIn(meter.added.written_data_bytes, hour);
  const storageThen = storageAfter(storage, meter, hour, writtenBytes);
  const { root, child, restore } = storedBytesAt(storageThen, meter, hour + 1);
  const nextRests = new Map<Column, number>();
  const nextUsed = new Map<Column, number>();
  const readings: Reading[] = [
    ...readUse(meter, hour),
    ...readStorage(book.checkpoint, meter, terms, until),
    ['written_data_bytes', writtenBytes, 1],
    ['synthetic_storage_size_bytes', root + child + restore, 1],
  ];
  for (const [column, parts, partsOfUnit] of readings) {
    const all = (rests.get(column) ?? 0) + parts;
    const amount = Math.floor(all / partsOfUnit);
    setAmount(book.columns[column], hour, amount);
    nextUsed.set(column, (used.get(column) ?? 0) + amount);
    if (partsOfUnit > 1) nextRests.set(column, all % partsOfUnit);
  }
  const isLast = hour + 1 === month.endHour;
  return {
    hour: hour + 1,
    month: isLast ? monthOf(hour + 1) : month,
    storage: storageThen,
    rests: isLast ? new Map() : nextRests,
    used: isLast ? new Map() : nextUsed,
  };
}

function readUse(meter: ProjectMeter, hour: number): readonly Reading[] {
  const added = (addition: Addition) => amountIn(meter.added[addition], hour);
  const publicBytes = sumBranches(meter, branch => publicBytesIn(branch, hour));
  const privateBytes = sumBranches(meter, branch => privateBytesIn(branch, hour, meter));
  return [
    ['compute_unit_seconds', sumBranches(meter, branch => amountIn(branch.quarterCuSeconds, hour)), 4],
    ['public_network_transfer_bytes', publicBytes + added('public_network_transfer_bytes'), 1],
    ['private_network_transfer_bytes', privateBytes + added('private_network_transfer_bytes'), 1],
    ['active_time_seconds', amountIn(meter.activeSeconds, hour), 1],
  ];
}

/** What is stored when the hour begins counts for as much of the hour as is over. */
function readStorage(
  { hour, month, storage }: MeterCheckpoint,
  meter: ProjectMeter,
  { unit, includedBranches }: MeterTerms,
  until: number,
): readonly Reading[] {
  const seconds = Math.min(until, (hour + 1) * hourSeconds) - Math.max(meter.createdAt, hour * hourSeconds);
  const { root, child, restore, snapshot } = storedBytesAt(storage, meter, hour);
  const children = childrenAt(meter, hour).length;
  const branches = unit === 'hour' ? children : Math.max(0, 1 + children - includedBranches);
  const unitHours = unit === 'hour' ? 1 : month.endHour - month.firstHour;
  const read = (column: Column, amount: number): Reading => [
    column,
    amount * seconds,
    unitHours * hourSeconds,
  ];
  return [
    read('root_branch_bytes_month', root),
    read('child_branch_bytes_month', child),
    read('instant_restore_bytes_month', restore),
    read('snapshot_storage_bytes_month', snapshot),
    read('extra_branches_month', branches),
    ['data_storage_bytes_hour', (root + child + restore) * seconds, hourSeconds],
  ];
}

function sumBranches({ branches }: ProjectMeter, count: (branch: BranchMeter) => number): number {
  let sum = 0;
  for (const branch of branches.values()) sum += count(branch);
  return sum;
}
