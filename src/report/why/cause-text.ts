import type { Cause } from '../../cost/difference/cause.ts';
import { sayCount } from '../../cost/finding/phrase.ts';
import { noAmount } from '../../cost/money/money.ts';
import { hourMs } from '../../resources/duration.ts';
import type { UsageProject } from '../../resources/usage/ledger.ts';

/** The projects with several endpoints among the causes, by their numbers: ids of endpoints are said there. */
export function severalEndpoints(causes: readonly Cause[]): ReadonlySet<number | undefined> {
  const several = causes.filter(
    ({ children }) => new Set(children.map(({ endpoint_id }) => endpoint_id)).size > 1,
  );
  return new Set(several.map(({ project }) => project?.project_ref));
}

/** The words of a cause in its row, such as `woken more often`. */
export function nameCause(cause: Cause): string {
  const { kind, name = '', project, endpoint_id = '' } = cause;
  switch (kind) {
    case 'price':
      return name === '' ? 'price' : `price of ${name}`;
    case 'exchange_rate':
      return `exchange rate of ${name}`;
    case 'included_usage':
      return name === '' ? 'what is included, and tiers' : `included hours and tiers of ${name}`;
    case 'charge':
      return name;
    case 'others':
      return `${cause.count} smaller causes`;
    case 'days':
      return 'length of the period';
    case 'new_project':
      return `${nameProject(project)} (new)`;
    case 'gone_project':
      return `${nameProject(project)} (gone)`;
    case 'project':
      return nameProject(project);
    case 'lifetime':
      return isMore(cause) ? 'existed for longer' : 'existed for less time';
    case 'new_endpoint':
      return `new endpoint ${endpoint_id}`;
    case 'gone_endpoint':
      return `endpoint ${endpoint_id} is gone`;
    case 'suspend_delay':
      return 'auto-suspend delay';
    case 'awake':
      return isMore(cause) ? 'awake for longer' : 'awake for less time';
    case 'wakes':
      return isMore(cause) ? 'woken more often a day' : 'woken less often a day';
    case 'wake_length':
      return isMore(cause) ? 'awake for longer each time' : 'awake for less each time';
    case 'resize':
      return isMore(cause) ? 'larger' : 'smaller';
    case 'load':
      return isMore(cause) ? 'scaled up more' : 'scaled up less';
    case 'use':
      return isMore(cause) ? 'used more' : 'used less';
  }
}

/**
 * What a cause is about and what it did, as the rest of a sentence that begins with its money.
 *
 * @param showAt shows an instant by the clocks of the report.
 * @param several projects whose endpoints are named.
 */
export function describeCause(
  cause: Cause,
  {
    showAt,
    several,
  }: { readonly showAt: (at: number) => string; readonly several: ReturnType<typeof severalEndpoints> },
): string {
  const { kind, sinceAt, endedAt, evidence, project, endpoint_id } = cause;
  const which = endpoint_id !== undefined && several.has(project?.project_ref) ? ` (${endpoint_id})` : '';
  const isLife = kind === 'lifetime';
  const began = sinceAt === undefined ? '' : showAt(sinceAt);
  const since = began && (isLife ? `, from ${began} on` : ` since ${began}`);
  const until = endedAt === undefined ? '' : `${isLife ? ',' : ''} until ${showAt(endedAt)}`;
  const shown = evidence === undefined ? '' : `: ${evidence}`;
  return `from ${describeSubject(cause, which)}${since}${until}${shown}`;
}

/** A cause of a project within its sentence, with its endpoint where that must be said. */
export function namePart(cause: Cause, several: ReturnType<typeof severalEndpoints>): string {
  const { endpoint_id, project } = cause;
  const isNamed = endpoint_id !== undefined && several.has(project?.project_ref);
  return `${nameCause(cause)}${isNamed ? ` (${endpoint_id})` : ''}`;
}

/** @param which the endpoint, where it must be said. */
function describeSubject(cause: Cause, which: string): string {
  const { kind, project, awakeMs, name = '' } = cause;
  switch (kind) {
    case 'price':
    case 'exchange_rate':
    case 'included_usage':
    case 'days':
      return `the ${nameCause(cause)}`;
    case 'charge':
      return `the charge ${name}`;
    case 'new_project':
      return `${nameProject(project)}, which is new`;
    case 'gone_project':
      return `${nameProject(project)}, which is gone`;
    case 'lifetime':
    case 'use':
      return `${nameProject(project)}${which}, which ${nameCause(cause)}`;
    default:
      return `${nameProject(project)}${which}, ${awakeMs === undefined ? nameCause(cause) : sayAwake(awakeMs)}`;
  }
}

function sayAwake(awakeMs: number): string {
  return `awake ${sayCount(Math.abs(awakeMs) / hourMs, 'hour')} ${awakeMs >= 0 ? 'more' : 'less'}`;
}

function nameProject(project: UsageProject | undefined): string {
  return project?.project_name ?? project?.project_id ?? '';
}

function isMore({ amount, cuMs, awakeMs }: Cause): boolean {
  return (awakeMs ?? cuMs ?? amount.numerator.cmp(noAmount.numerator)) >= 0;
}
