import { closeSync, fsyncSync, openSync, writeSync } from 'node:fs';
import { UnfinishedFile } from './whole-copy.ts';

/**
 * Writes a file that has its name only once all of it is on the disk; only its owner may read it.
 *
 * @throws the system's error when it cannot be written; what was there stays.
 */
export function writeWhole(path: string, content: string | Uint8Array): void {
  using file = new UnfinishedFile(path);
  const bytes = typeof content === 'string' ? Buffer.from(content) : content;
  const descriptor = openSync(file.path, 'w', 0o600);
  try {
    for (let written = 0; written < bytes.length; ) written += writeSync(descriptor, bytes, written);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
  file.name();
}
