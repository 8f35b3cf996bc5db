import { type SourceFile, stampFile } from './source-file.ts';
import { isUsableKey } from './value-schema.ts';

/** The text of a key file without its last line break. */
export function keyOf({ text }: SourceFile): string {
  return text.replace(/\r?\n$/, '');
}

/**
 * Reads the key of a file each time it has changed. A file that is being written, or is gone, leaves the key as it was.
 *
 * @param first the key as it was read at the start.
 */
export function followKeyFile(
  path: string,
  first: string,
  readFile: (path: string) => SourceFile,
): () => string {
  let key = first;
  let stamp = stampFile(path);
  return () => {
    const now = stampFile(path);
    if (now === stamp) return key;
    stamp = now;
    try {
      const read = keyOf(readFile(path));
      if (isUsableKey(read)) key = read;
    } catch {
      // The service says so when the key is no longer any good.
    }
    return key;
  };
}
