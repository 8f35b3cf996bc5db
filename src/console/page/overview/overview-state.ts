import { lastDayOf } from '../../../report/format/period-name.ts';
import type { DrawContext, PageHead } from '../../page.ts';
import { countOf } from '../../part/count-word.ts';
import { html } from '../../part/html.ts';
import { sayNewest } from '../../part/instant.ts';
import { shownSentence } from '../../part/shown-text.ts';
import type { OverviewAnswer, Trouble } from './overview-answer.ts';

const severities: readonly Trouble['severity'][] = ['critical', 'warning', 'info'];

/** The order of troubles that are equally severe: conditions, which say what is not known, then a failure that may keep clients out. */
const kinds: Readonly<Partial<Record<Trouble['kind'], number>>> = {
  operations_stuck: 2,
  budget_over: 3,
  budget_at_risk: 3,
  keys_stale: 5,
};

/** The worst first. */
export function rankTroubles(troubles: readonly Trouble[]): Trouble[] {
  const rank = ({ kind, severity }: Trouble) =>
    kind === 'operations_failed' ? (severity === 'critical' ? 1 : 4) : (kinds[kind] ?? 0);
  const order = (trouble: Trouble) => 10 * severities.indexOf(trouble.severity) + rank(trouble);
  return troubles.toSorted((a, b) => order(a) - order(b));
}

/** When the overview is drawn, and the last reading where nothing was read since. */
export type OverviewContext = Pick<DrawContext<unknown>, 'now' | 'staleAt' | 'staleAccounts'>;

/** Whether something may be wrong that is not known yet. */
export function isUnread({ rests_on, troubles }: Pick<OverviewAnswer, 'rests_on' | 'troubles'>): boolean {
  const isRead = ({ state }: { readonly state: string }) => state !== 'unread' && state !== 'importing';
  return rests_on === null || !rests_on.accounts.every(isRead) || troubles.some(isUnreadTrouble);
}

/** Whether a trouble is that not all could be read: what else is wrong is not known then. */
export function isUnreadTrouble({ kind }: Pick<Trouble, 'kind'>): boolean {
  return unreadKinds.has(kind);
}

const unreadKinds: ReadonlySet<Trouble['kind']> = new Set([
  ...([
    'key_refused',
    'account_unreadable',
    'history_unwritable',
    'history_unreadable',
    'history_behind',
    'importing',
  ] as const),
]);

/** Whether a trouble can wait: unused keys, and failures that keep nobody out. The title does not name such a one second. */
function canWait({ kind, severity }: Trouble): boolean {
  return kind === 'keys_stale' || (kind === 'operations_failed' && severity === 'warning');
}

/** The state in one sentence: the two worst of what is wrong; not where that is old, which the banner says. */
export function sayState(answer: OverviewAnswer): string {
  if (answer.troubles.some(each => each.severity === 'critical' && isUnreadTrouble(each))) return 'Overview';
  const wrong = answer.troubles.filter(({ severity }) => severity !== 'info');
  const [worst, next] = wrong;
  if (worst === undefined)
    return isUnread(answer) || answer.pending.length > 0 ? 'Overview' : 'Nothing is wrong';
  const first = worst.title ?? worst.headline;
  if (next === undefined || canWait(next)) return shownSentence(first);
  const second = next.title ?? next.headline;
  return shownSentence(`${first}, and ${second.charAt(0).toLowerCase()}${second.slice(1)}`);
}

/** Why figures of the billing period are not there. */
export function sayAwaited({ rests_on }: OverviewAnswer): string {
  return rests_on?.is_whole === false ? 'This is not known yet.' : 'This is being worked out.';
}

export function describeHead(answer: OverviewAnswer, { staleAt }: OverviewContext): PageHead {
  const { running, spending, pending, rests_on } = answer;
  if (staleAt !== null) return { lead: sayNewest(staleAt) };
  const isNothingRead = running.projects === 0 && isUnread(answer);
  const read = isNothingRead
    ? 'No project was read yet'
    : `${countOf(running.projects, 'project')}, ${countOf(running.endpoints, 'endpoint')}`;
  const isRead = !isNothingRead && !answer.troubles.some(isUnreadTrouble);
  const isWorkedOut = isRead && rests_on === null && pending.length > 0;
  return {
    lead: html`${read}.${spending !== null && ` This billing period: ${spending.period.from.slice(0, 10)} to ${lastDayOf(spending.period.until)}.`}${isWorkedOut && html` <strong>The figures are being worked out now</strong>, mostly within seconds.`}`,
    hasStates: true,
  };
}
