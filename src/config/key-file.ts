import { describeReadFailure, type SourceFile, stampFile } from './source-file.ts';
import { isUsableKey } from './value-schema.ts';

/** The text of a key file without its last line break. */
export function keyOf({ text }: SourceFile): string {
  return text.replace(/\r?\n$/, '');
}

/** What is wrong with the content of a key file, as it follows its name; undefined when it holds a key. */
export function describeKeyContent(key: string): string | undefined {
  if (isUsableKey(key)) return undefined;
  return key.trim() === ''
    ? 'which is empty'
    : 'which holds more than a key, such as a space or a second line';
}

/** A key that is read from a file again whenever that has changed. */
export interface FollowedKey {
  read(): string;
  /** Why the file cannot be used now, as it follows its name; undefined while its key is the one in use. */
  findProblem(): string | undefined;
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
): FollowedKey {
  let key = first;
  let problem: string | undefined;
  let stamp = stampFile(path);
  const look = () => {
    const now = stampFile(path);
    if (now === stamp) return;
    stamp = now;
    try {
      const read = keyOf(readFile(path));
      problem = describeKeyContent(read);
      if (problem === undefined) key = read;
    } catch (error) {
      problem = describeReadFailure(error);
    }
  };
  return {
    read() {
      look();
      return key;
    },
    findProblem() {
      look();
      return problem;
    },
  };
}
