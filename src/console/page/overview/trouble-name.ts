import type { Trouble } from './overview-answer.ts';

/** Examples that a trouble has, and names. */
export const mostExamples = 3;

/** One that a trouble touches, as it is named in a line with others. */
export type TroubleName = Trouble['names'][number];

/** The first of those whom a trouble touches, and how many more there are. */
export function namesOf(all: readonly TroubleName[]): Pick<Trouble, 'names' | 'more_names'> {
  const names = all.slice(0, mostExamples);
  return { names, more_names: all.length - names.length };
}
