import { statSync } from 'node:fs';

/** Bytes on disk, the write-ahead log included; 0 where there is no history. */
export function historySizeBytes(file: string): number {
  return ['', '-wal', '-shm'].reduce(
    (sum, suffix) => sum + (statSync(file + suffix, { throwIfNoEntry: false })?.size ?? 0),
    0,
  );
}
