import { type FollowedFile, followFile } from './followed-file.ts';
import type { SourceFile } from './source-file.ts';
import { isUsableKey } from './value-schema.ts';

/** The text of a key file without its last line break. */
export function keyOf({ text }: SourceFile): string {
  return text.replace(/\r?\n$/, '');
}

/** The problem with the content of a key file, as it follows its name; undefined when it holds a key. */
export function describeKeyContent(key: string): string | undefined {
  if (isUsableKey(key)) return undefined;
  return key.trim() === ''
    ? 'which is empty'
    : 'which holds more than a key, such as a space or a second line';
}

/**
 * Reads the key of a file each time it has changed.
 *
 * @param first the key as it was read at the start.
 */
export function followKeyFile(
  path: string,
  first: string,
  readFile: (path: string) => SourceFile,
): FollowedFile {
  return followFile(path, first, () => {
    const key = keyOf(readFile(path));
    const problem = describeKeyContent(key);
    return problem === undefined ? { text: key } : { problem };
  });
}
