import { statSync } from 'node:fs';
import { resolveLinks } from './alias.ts';

/** Bytes on disk, the write-ahead log included; 0 where there is no history. */
export function historySizeBytes(file: string): number {
  const path = resolveLinks(file);
  return ['', '-wal', '-shm'].reduce(
    (sum, suffix) => sum + (statSync(path + suffix, { throwIfNoEntry: false })?.size ?? 0),
    0,
  );
}
