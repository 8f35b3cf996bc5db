import { existsSync } from 'node:fs';
import { sizeOf } from './reader.ts';

/**
 * Whether a history was brought from elsewhere: it has content, and no lock file beside it as each daemon leaves one.
 *
 * @param path of the history, without links.
 */
export function wasBrought(path: string): boolean {
  return sizeOf(path) > 0 && !existsSync(`${path}.lock`);
}
