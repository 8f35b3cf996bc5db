import { capital } from '../report/format/shown-cell.ts';
import { type Condition, isFailure, sayTogether } from './condition/condition.ts';
import type { AnyPage, ReadContext, StaleAccount } from './page.ts';
import { type Content, html, type Markup } from './part/html.ts';
import { icon } from './part/icon.ts';
import { clock, showAge } from './part/instant.ts';
import { showNumber } from './part/number.ts';
import { markCode, shownSentence } from './part/shown-text.ts';
import type { Progress, RestsOn } from './progress.ts';

export interface BannerContent extends Pick<ReadContext, 'live' | 'conditions' | 'account'> {
  /** The page that is shown; absent where it is of a problem. */
  readonly page?: AnyPage | undefined;
  /** The names of the accounts in the configuration. */
  readonly accounts: readonly string[];
  /** How far the readings behind the figures of the page are; absent where it has no figures. */
  readonly restsOn?: RestsOn | undefined;
}

/** The conditions that concern a page: what it shows, of the account that it is of. */
export function findConcerning({
  conditions,
  page,
  account,
}: Pick<BannerContent, 'conditions' | 'page' | 'account'>): readonly Condition[] {
  const { reads = ['projects'] } = page ?? { reads: [] };
  if (reads.length === 0) return [];
  const isRead = (collector: string | null) => collector === null || reads.some(each => each === collector);
  return conditions.filter(
    each =>
      (each.account === null || account === '' || each.account === account) &&
      // A page tells of a failing collector only where it shows something of the same one.
      (isFailure(each) || each.kind === 'collector_failing'
        ? isRead(each.collector)
        : everywhere.has(each.kind)),
  );
}

/** These are no failures, and change how every page is read. */
const everywhere: ReadonlySet<Condition['kind']> = new Set([
  ...([
    'history_damaged',
    'history_set_aside',
    'account_unknown',
    'standby',
    'shard',
    'account_unread',
    'account_empty',
  ] as const),
]);

/** The instant that all of a page is of, as nothing of it was read since; null where it never was, undefined where some is. */
export function findStale(content: BannerContent): string | null | undefined {
  const { account, accounts } = content;
  const failures = findConcerning(content).filter(isFailure);
  const ofEach = (account === '' ? accounts : [account]).map(name =>
    failures.find(each => each.account === null || each.account === name),
  );
  if (ofEach.length === 0 || ofEach.includes(undefined)) return undefined;
  return ofEach.map(each => each?.last_good ?? null).toSorted()[0] ?? null;
}

/** The accounts that a page shows as they were at their last reading, as they could not be read since. */
export function findStaleAccounts(content: BannerContent): readonly StaleAccount[] {
  return findConcerning(content)
    .filter(isFailure)
    .flatMap(({ account, last_good }) =>
      account === null || last_good === null ? [] : [{ account, at: last_good }],
    );
}

/** One banner for all that concerns a page: the most urgent whole, the rest in a line; null where nothing does. */
export function drawBanner(content: BannerContent): Markup | null {
  const concerning = findConcerning(content);
  const { now } = content.live;
  const told = (content.restsOn?.accounts ?? []).filter(each => isUntold(each, concerning));
  const [first] = concerning;
  if (first !== undefined && first.severity !== 'info') {
    const together = concerning.filter(each => each.kind === first.kind);
    const rest = [
      ...concerning.filter(each => each.kind !== first.kind).map(({ sentence }) => `${sentence}.`),
      ...told.map(({ summary }) => summary),
    ];
    return drawCondition(together, now, { rest, isOfAll: findStale(content) !== undefined });
  }
  return drawNotes(concerning, now, told);
}

/** Notices of states that are no failures; null where there are none. */
export function drawNotes(
  conditions: readonly Condition[],
  now: number,
  told: readonly Progress[] = [],
): Markup | null {
  if (conditions.length + told.length === 0) return null;
  const notes = [...conditions.map(each => drawNote(each, now)), ...told.map(drawProgress)];
  return html`<section class="alert note" aria-label="What is not all here">${icon('note')}<div>${notes}</div></section>`;
}

/** Whether no condition says already why the figures of an account are not there. */
function isUntold({ account, state, summary }: Progress, concerning: readonly Condition[]): boolean {
  if (summary === '') return false;
  const own = concerning.filter(each => each.account === account);
  return !own.some(each => isFailure(each) || each.kind === `account_${state}`);
}

function drawNote({ kind, sentence, remedy, last_good, attempt_since }: Condition, now: number): Markup {
  const asked =
    attempt_since !== null &&
    html`The service was asked at ${clock(attempt_since, now)} and has not answered yet. `;
  const read = kind === 'standby' && last_good !== null && html`, as read at ${clock(last_good, now)}`;
  return html`<p><b>${shownSentence(sentence)}${read}.</b> ${asked}${remedy.map(step => html`${markCode(asSentence(step), now)} `)}</p>`;
}

/** How far the first reading is, and what can be relied on already. */
function drawProgress({ state, projects, projects_left, summary }: Progress): Markup {
  if (state !== 'importing') return html`<p>${shownSentence(summary)}</p>`;
  return html`<p><b>${shownSentence(summary)}</b></p>
${projects_left > 0 && html`<progress aria-label="Read of the past" max=${projects} value=${projects - projects_left}></progress>`}
<p class="m">Sure already: projects, endpoints, operations and API keys, as they are read. Held back until then: use, cost, forecasts and findings.</p>`;
}

/**
 * A banner: the failure in a sentence, its cause, its remedy, and the next attempt.
 *
 * @param together conditions of one kind; the first is told whole.
 * @param rest sentences on what else concerns the page.
 * @param isOfAll whether the page is of nothing else.
 */
export function drawCondition(
  together: readonly Condition[],
  now: number,
  { rest = [], isOfAll = false }: { readonly rest?: readonly string[]; readonly isOfAll?: boolean } = {},
): Markup | null {
  const [first] = together;
  if (first === undefined) return null;
  const { severity, sentence, effect, cause, remedy, help, log } = first;
  const isOne = together.length === 1;
  const ofFirst = together.every(each => each.cause === cause) ? '' : ' of the first';
  return html`<section class=${severity === 'critical' ? 'alert' : `alert ${severity === 'info' ? 'note' : 'amber'}`}>${icon(marks[severity])}<div><h2>${shownSentence(isOne ? sentence : sayTogether(together))}</h2>
${effect !== null && html`<p>${markCode(asSentence(effect), now)}</p>`}
${isFailure(first) && html`<p>${sayOld(together, now, isOfAll)}</p>`}
${!isOne && html`<ul>${together.slice(0, mostNamed).map(each => html`<li>${shownSentence(each.sentence)}${each.last_good !== null && html`; last read ${clock(each.last_good, now)}`}</li>`)}</ul>`}
${cause !== null && html`<p class="m">Cause${ofFirst}: ${markCode(shownSentence(cause), now)}.</p>`}
${remedy.length > 0 && html`<ol class="steps">${remedy.map(step => html`<li><span>${markCode(asSentence(step), now)}</span></li>`)}</ol>`}
${help !== null && html`<p class="m"><a href=${help}>The runbook</a> says more.</p>`}
${log !== null && log !== cause && html`<details class="log"><summary>The line in the log</summary><code>${shownSentence(log)}</code></details>`}
${rest.length > 0 && html`<p class="m">Also: ${rest.slice(0, mostNamed).map(each => `${shownSentence(each)} `)}<a href="/health">Health</a> has all of it.</p>`}</div>${drawFacts(first, now)}</section>`;
}

/** More are counted. */
const mostNamed = 5;

const marks = { critical: 'crit', warning: 'warn', info: 'note' } as const;

/** A sentence on how old the figures below are. */
function sayOld(together: readonly Condition[], now: number, isOfAll: boolean): Content {
  const known = together.flatMap(({ last_good }) => last_good ?? []).toSorted();
  const [oldest] = known;
  if (oldest === undefined) return 'It was never read: what is in it is not known.';
  const never = together.length - known.length;
  return html`Nothing has been read for <b>${showAge(now - Date.parse(oldest))}</b>. What is ${isOfAll ? 'below' : `shown of ${together.length === 1 ? 'it' : 'them'}`} is from ${clock(oldest, now)}; what has happened since does not show.${never > 0 && ` ${showNumber(never)} of them were never read.`}`;
}

function drawFacts(condition: Condition, now: number): Markup | null {
  const { since, last_good, last_attempt, attempt_since, next_attempt, failures } = condition;
  const next = sayNext(attempt_since, next_attempt, now);
  const facts: readonly (readonly [string, Content] | false)[] = [
    isFailure(condition) && [
      'Last good reading',
      last_good === null ? 'never' : html`<b>${clock(last_good, now)}</b>`,
    ],
    since !== null && ['Since', html`${clock(since, now)}, ${showAge(now - Date.parse(since))}`],
    failures !== null && ['Failed attempts', showNumber(failures)],
    last_attempt !== null && ['Last attempt', html`<b>${clock(last_attempt, now)}</b>`],
    next !== null && ['Next attempt', next],
  ];
  const shown = facts.filter(each => each !== false);
  if (shown.length === 0) return null;
  return html`<dl>${shown.map(([name, value]) => html`<dt>${name}</dt><dd>${value}</dd>`)}
${next_attempt !== null && html`<dd class="again"><a class="btn sm" href="" title="The daemon asks by itself: this loads the page again, and asks the service nothing.">Look again</a></dd>`}</dl>`;
}

function sayNext(since: string | null, next: string | null, now: number): Markup | null {
  if (since !== null) return html`under way since ${clock(since, now)}`;
  if (next === null) return null;
  const inMs = Date.parse(next) - now;
  return html`<b>${clock(next, now)}</b>, ${inMs < 1000 ? 'now' : `in ${showAge(inMs)}`}`;
}

/** A step of a remedy, which the log has within a sentence. */
function asSentence(step: string): string {
  const isCommand = /^\S+_|^dbpm-/.test(step);
  return `${isCommand ? step : capital(step)}.`;
}
