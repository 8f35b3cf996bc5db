import { describeReadFailure, stampFile } from './source-file.ts';

/** The content of a file: a text to be used, or why it cannot be, as it follows the file's name. */
export type FileContent = { readonly text: string } | { readonly problem: string };

/** A file that is read again whenever it has changed. */
export interface FollowedFile {
  read(): string;
  /** Why the file cannot be used now, as it follows its name; undefined while its text is the one in use. */
  findProblem(): string | undefined;
}

/**
 * Reads a file each time it has changed. One that is being written, or is gone, leaves the text as it was.
 *
 * @param first the text as it was read at the start.
 * @param readContent throws what the system says.
 */
export function followFile(path: string, first: string, readContent: () => FileContent): FollowedFile {
  let text = first;
  let problem: string | undefined;
  let stamp = stampFile(path);
  const look = () => {
    const now = stampFile(path);
    if (now === stamp) return;
    stamp = now;
    try {
      const content = readContent();
      if ('text' in content) text = content.text;
      problem = 'problem' in content ? content.problem : undefined;
    } catch (error) {
      problem = describeReadFailure(error);
    }
  };
  return {
    read() {
      look();
      return text;
    },
    findProblem() {
      look();
      return problem;
    },
  };
}
