import type { ReportAxis, ReportKind } from '../../../report/kind.ts';
import { type ReportOptions, usualPeriods } from '../../../report/parameter.ts';
import { dayMs, type Span } from '../../../resources/duration.ts';
import { compact } from '../../../resources/field.ts';
import { choosePeriod } from '../../chosen-period.ts';
import type { ConsoleSources } from '../../page.ts';
import { PageProblem } from '../../page-problem.ts';
import { countSteps, refuseManySteps } from '../../step-bound.ts';

/** Rows of steps and projects, which take some kilobytes each while all of them are worked out in the daemon. */
const mostRows = 50_000;
/** Single operations. */
const mostOperations = 50_000;
/** Days that the use of endpoints is shared out by: a million take some 15 seconds, in which no other report is made. */
const mostEndpointDays = 1_000_000;

/** Axes that have as many rows as there are projects, or more. */
const largeAxes: ReadonlySet<ReportAxis> = new Set(['project', 'endpoint']);

/**
 * @param what the kind of report.
 * @throws PageProblem when a report would hold up the daemon: the command makes it as well.
 */
export function refuseLargeFile(
  { config, history }: Pick<ConsoleSources, 'config' | 'history'>,
  what: ReportKind,
  options: ReportOptions,
  now: number,
): void {
  const { by = 'project', step, format, period: text = usualPeriods[what], account, project } = options;
  if (by === 'operation' && project === undefined)
    refuseManyOperations(history, choosePeriod(config, text, now), options);
  if (what !== 'cost' && what !== 'usage') return;
  const period = choosePeriod(config, text, now);
  if (step !== undefined) refuseManySteps(step, period);
  if (!largeAxes.has(by) && format !== 'focus') return;
  const states = history.look(({ fleet }) => fleet.states()) ?? [];
  const endpoints = states
    .filter(each => account === undefined || each.account === account)
    .reduce((sum, each) => sum + each.endpoints, 0);
  const rows = step === undefined ? 0 : endpoints * countSteps(step, period);
  const endpointDays = by === 'endpoint' ? endpoints * ((period.untilAt - period.fromAt) / dayMs) : 0;
  if (rows <= mostRows && endpointDays <= mostEndpointDays) return;
  throw tooLarge(
    what,
    `It is of ${endpoints} endpoints for so long that making it would hold up the daemon.`,
    ['a shorter period, longer steps, or one account'],
  );
}

function refuseManyOperations(
  history: ConsoleSources['history'],
  period: Span,
  { account, failed = false }: ReportOptions,
): void {
  const asked = { ...period, ...compact({ account }), most: mostOperations + 1 };
  const count = history.look(({ operations }) =>
    failed ? operations.countFailed(asked) : operations.countEnded(asked),
  );
  if (count === undefined || count <= mostOperations) return;
  throw tooLarge('operations', `It has more than ${mostOperations} operations.`, [
    'a shorter period, one project, or failed operations alone',
  ]);
}

function tooLarge(what: ReportKind, detail: string, remedies: readonly string[]): PageProblem {
  return new PageProblem(400, 'The report is too large', detail, [
    ...remedies,
    `the command dbpm-exporter report ${what}`,
  ]);
}
