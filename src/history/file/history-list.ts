import { existsSync, globSync } from 'node:fs';
import { resolveLinks } from './alias.ts';
import { HistoryError } from './history-error.ts';

/** Between the paths of a text that names several histories; no path that is asked for has one. */
export const historySeparator = '\n';

/** The files that a text names: paths or patterns such as `data/*.sqlite`, each file once, whether it is there or not. */
export function listHistories(given: string): readonly string[] {
  const files = given
    .split(historySeparator)
    .flatMap(path => (isPattern(path) ? globSync(path).sort() : [path]));
  return [...new Map(files.map(file => [resolveLinks(file), file])).values()];
}

/** Files that a text names more than once, by paths of their own. */
export function listRepeated(given: string): readonly string[] {
  const files = given.split(historySeparator).filter(path => !isPattern(path));
  return files.filter(
    (file, index) => files.findIndex(each => resolveLinks(each) === resolveLinks(file)) < index,
  );
}

/** The history that a text names. @throws HistoryError when it names several. */
export function oneHistory(given: string): string {
  if (!isSeveral(given)) return given;
  throw new HistoryError(`${nameHistories(given)} are several histories, and this needs one: name it alone`);
}

/** Whether a text names several histories, or is a pattern for them. */
export function isSeveral(given: string): boolean {
  return given.trim().includes(historySeparator) || isPattern(given);
}

/** The histories that a text names, for a sentence. */
export function nameHistories(given: string): string {
  return given.split(historySeparator).join(' and ');
}

/** A file may be called as a pattern is. */
function isPattern(path: string): boolean {
  return /[*?[{]/.test(path) && !path.startsWith('file:') && !existsSync(path);
}
