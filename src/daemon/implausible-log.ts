import type { ProblemLog } from '../log/problem-log.ts';
import type { ImplausibleValue } from '../resources/implausible.ts';
import type { Reading } from '../resources/reading.ts';
import { believingWork } from './repeated-work.ts';

/** Tells the log which values of a reading were held back, or that there are none any more. */
export function logImplausible(
  problems: ProblemLog,
  { account, kind }: Reading,
  implausible: readonly ImplausibleValue[],
): void {
  for (const value of implausible) {
    problems.fail(believingWork, { account, field: value.field }, new Error(describe(value)));
  }
  if (kind === 'projects' && !implausible.some(({ field }) => field === 'cpu_used_sec')) {
    problems.succeed(believingWork, { account, field: 'cpu_used_sec' });
  }
}

function describe({ field, id, value }: ImplausibleValue): string {
  const of = `${field} of ${JSON.stringify(id)} is`;
  return field === 'cpu_used_sec'
    ? `${of} ${value}: nobody can have used so much since it was last read`
    : `${of} ${new Date(value).toISOString()}: that is before its creation or still to come`;
}
