import { showKeyFile } from '../../../config/shown-secret.ts';
import { describeReadFailure, followFile, readSourceFile } from '../../../config/source-file.ts';
import { Failure } from '../../../resources/failure.ts';

/** A file that a flag names, read again whenever it has changed. */
export interface FlagFile {
  readonly path: string;
  /** Its text without the line breaks at its end. */
  readonly read: () => string;
  /** Whether every user may read it. */
  readonly readableByAll: boolean;
}

/**
 * @param findProblem is given the text, and answers what is wrong with it as it follows the name of the file.
 * @throws Failure when the file cannot be read or something is wrong with it.
 */
export function readFlagFile(
  flag: string,
  path: string,
  findProblem: (text: string) => string | undefined,
): FlagFile {
  const readContent = () => {
    const { text: whole, readableByAll } = readSourceFile(path);
    const text = whole.replace(/[\r\n]+$/, '');
    const problem = findProblem(text);
    return problem === undefined ? { text, readableByAll } : { problem };
  };
  const refuse = (problem: string) => new Failure(`${flag}: found ${showKeyFile(path)}, ${problem}`, 'usage');
  try {
    const content = readContent();
    if (content.problem !== undefined) throw refuse(content.problem);
    const { text, readableByAll } = content;
    return { path, read: followFile(path, text, readContent).read, readableByAll };
  } catch (error) {
    throw error instanceof Failure ? error : refuse(describeReadFailure(error));
  }
}
