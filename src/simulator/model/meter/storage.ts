import { amountIn, createHourSeries, type HourSeries, hourSeconds, setAmount } from './hour-series.ts';
import { type BranchMeter, initialBytes, type ProjectMeter, writtenBytesIn } from './project-meter.ts';

/** Storage of a project when an hour begins, in bytes. */
export interface Storage {
  readonly rootBytes: number;
  /** What the child branches keep of what they wrote. */
  readonly childBytes: ReadonlyMap<BranchMeter, number>;
  readonly addedChildBytes: number;
  readonly addedRestoreBytes: number;
  readonly snapshotBytes: number;
  /** Written before each hour so far, which is what a restore goes back by. */
  readonly writtenBefore: HourSeries;
}

export interface StoredBytes {
  readonly root: number;
  readonly child: number;
  readonly restore: number;
  readonly snapshot: number;
}

/** Leaves room to multiply by the seconds of an hour in whole numbers. */
export const largestStoredBytes = 2 ** 39;

export function initialStorage(meter: ProjectMeter): Storage {
  return {
    rootBytes: initialBytes(meter),
    childBytes: new Map(),
    addedChildBytes: 0,
    addedRestoreBytes: 0,
    snapshotBytes: 0,
    writtenBefore: createHourSeries(meter.createdAt),
  };
}

/** The child branches that existed when the hour began, or when the project did. */
export function childrenAt(meter: ProjectMeter, hour: number): BranchMeter[] {
  const second = Math.max(hour * hourSeconds, meter.createdAt);
  return [...meter.branches.values()]
    .slice(1)
    .filter(
      ({ createdAt, deletedAt }) => createdAt <= second && (deletedAt === undefined || deletedAt > second),
    );
}

export function storedBytesAt(storage: Storage, meter: ProjectMeter, hour: number): StoredBytes {
  const written = amountIn(storage.writtenBefore, hour);
  const writtenEarlier = amountIn(storage.writtenBefore, hour - meter.retentionHours);
  const children = childrenAt(meter, hour).map(branch => storage.childBytes.get(branch) ?? 0);
  return {
    root: bounded(storage.rootBytes),
    child: bounded(children.reduce((sum, bytes) => sum + bytes, storage.addedChildBytes)),
    restore: bounded(written - writtenEarlier + storage.addedRestoreBytes),
    snapshot: bounded(storage.snapshotBytes),
  };
}

/** Storage when the next hour begins: the root keeps a quarter of what is written to it, a child branch half. */
export function storageAfter(
  storage: Storage,
  meter: ProjectMeter,
  hour: number,
  writtenBytes: number,
): Storage {
  const [root, ...children] = meter.branches.values();
  const added = meter.added;
  setAmount(storage.writtenBefore, hour + 1, amountIn(storage.writtenBefore, hour) + writtenBytes);
  const keptByRoot = root === undefined ? 0 : Math.floor(writtenBytesIn(root, hour) / 4);
  return {
    rootBytes: storage.rootBytes + keptByRoot + amountIn(added.root_branch_bytes, hour),
    childBytes: new Map(
      children.map(branch => [
        branch,
        (storage.childBytes.get(branch) ?? 0) + Math.floor(writtenBytesIn(branch, hour) / 2),
      ]),
    ),
    addedChildBytes: storage.addedChildBytes + amountIn(added.child_branch_bytes, hour),
    addedRestoreBytes: storage.addedRestoreBytes + amountIn(added.instant_restore_bytes, hour),
    snapshotBytes:
      storage.snapshotBytes +
      snapshotTakenIn(storage, meter, hour) +
      amountIn(added.snapshot_storage_bytes, hour),
    writtenBefore: storage.writtenBefore,
  };
}

/** One project in four has a snapshot of its root, taken within its first three weeks. */
function snapshotTakenIn({ rootBytes }: Storage, { salt, createdAt }: ProjectMeter, hour: number): number {
  const takenInHour = Math.floor(createdAt / hourSeconds) + 24 * (1 + (salt % 20));
  return salt % 4 === 0 && hour === takenInHour ? rootBytes : 0;
}

function bounded(bytes: number): number {
  return Math.min(largestStoredBytes, Math.max(0, bytes));
}
