import { PageProblem } from './page-problem.ts';

/** A list to choose from is no longer, unless all of it is configured. */
export const mostChoices = 200;

/** @throws PageProblem when it is not known. */
export function refuseOther(what: string, given: string, known: readonly string[]): void {
  if (given === '' || known.includes(given)) return;
  throw new PageProblem(
    400,
    'This address cannot be read',
    `There is no ${what} "${given.slice(0, 60)}".`,
    known.slice(0, mostChoices),
  );
}
