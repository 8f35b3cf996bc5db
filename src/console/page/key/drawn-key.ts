import type { InferOutput } from 'valibot';
import { keyVerdicts } from '../../../report/key-verdict.ts';
import { minOf } from '../../../resources/min-max.ts';
import { sumOf } from '../../../resources/sum.ts';
import type { DrawContext, PageHead } from '../../page.ts';
import { addressOf, keyAnchor } from '../../part/address.ts';
import { codeBox } from '../../part/code-box.ts';
import { type Content, html, type Markup } from '../../part/html.ts';
import { icon } from '../../part/icon.ts';
import { ago, instant, showAge } from '../../part/instant.ts';
import { showNumber } from '../../part/number.ts';
import { pager } from '../../part/pager.ts';
import { shownName } from '../../part/shown-text.ts';
import { type TableColumn, table } from '../../part/table.ts';
import type { KeyAnswer, keyQuery, keysField } from './key-schema.ts';

type Answer = InferOutput<typeof keysField>;
type Query = InferOutput<typeof keyQuery>;
type Context = DrawContext<Query>;

/** The title says what can be done. */
export function titleOfKeys({ verdicts: { safe_to_revoke, ask_first, in_use } }: Answer): string {
  const keys = (count: number) => `${showNumber(count)} ${count === 1 ? 'key' : 'keys'}`;
  if (safe_to_revoke > 0) {
    const asked =
      ask_first === 0
        ? ''
        : `, ${showNumber(ask_first)} ${ask_first === 1 ? 'needs' : 'need'} a question first`;
    return `${keys(safe_to_revoke)} ${safe_to_revoke === 1 ? 'is' : 'are'} safe to revoke${asked}`;
  }
  if (ask_first > 0) return `${keys(ask_first)} ${ask_first === 1 ? 'needs' : 'need'} a question first`;
  if (in_use === 0) return 'API keys';
  return in_use === 1 ? 'The only key is in use' : `All ${keys(in_use)} are in use`;
}

export function headOfKeys({ verdicts, accounts, read_at }: Answer, { now, path, query }: Context): PageHead {
  const { gone, ...present } = verdicts;
  const all = sumOf(Object.values(present));
  const { cursor: _first, show, ...state } = query;
  const account = query.account === '' ? accounts.length === 1 && accounts[0] : query.account;
  const counts = { ...verdicts, all: all + gone };
  return {
    lead: html`${showNumber(all)} ${all === 1 ? 'API key' : 'API keys'} ${account ? `of account ${shownName(account)}` : `of ${showNumber(accounts.length)} accounts`}, by when the service last saw each.${read_at !== null && html` Read ${ago(read_at, now)}.`}`,
    actions: html`<nav class="seg" aria-label="Keys">${(['all', ...keyVerdicts] as const).map(kind => html`<a href=${addressOf(path, { ...state, ...(kind !== 'all' && { show: kind }) })} aria-current=${kind === show ? 'true' : null}>${kind === 'all' ? 'All' : sections[kind].title} ${showNumber(counts[kind])}</a>`)}</nav>`,
  };
}

const sections = {
  safe_to_revoke: {
    title: 'Safe to revoke',
    mark: icon('ok', 'good'),
    says: (border: string) =>
      `Never used, and made more than ${border} ago. Nothing that runs depends on them.`,
  },
  ask_first: {
    title: 'Ask first',
    mark: icon('warn', 'warn'),
    says: (border: string) =>
      `Not used for more than ${border}, or new and not used yet. A rare job may need them: ask who made or used them.`,
  },
  in_use: {
    title: 'In use',
    mark: icon('note'),
    says: (border: string) => `Used within ${border}. What uses them would break.`,
  },
  gone: { title: 'Gone', mark: icon('note'), says: () => 'The service lists them no longer.' },
} as const;

/** The page of API keys: one list by what can be done, in the order of how much there is to do. */
export function drawKeys(answer: Answer, context: Context): Markup {
  const { keys, read_by_shard, shows_personal_data, count, next_cursor } = answer;
  const { path, query } = context;
  const { cursor, sort, order, ...state } = query;
  const none =
    read_by_shard === null
      ? 'There are no such API keys.'
      : `Shard ${read_by_shard} reads the API keys: see its console.`;
  if (keys.length === 0) return html`<p class="m">${none}</p>`;
  const list = table({
    caption: 'API keys by what can be done about them',
    ordered: { sort, order, path, state },
    isStacked: true,
    rows: keyVerdicts.flatMap(verdict => keys.filter(each => each.verdict === verdict)),
    group: { of: ({ verdict }) => verdict, heading: ({ verdict }) => drawHeading(verdict, answer) },
    columns: columnsOf(answer, context),
  });
  return html`<section class="card mb keys">${list}${lifeLegend}</section>
${pager({ path, state: { ...state, sort, order }, cursor, nextCursor: next_cursor, shown: keys.length, total: count, noun: 'API keys' })}
<div class="g g2"><section class="card"><header><h2>How to revoke</h2></header><div class="in"><p>This console only reads. Revoke a key in the console of the service, or send the request that <b>How to revoke</b> opens in its row. <code>$KEY</code> in it is another API key of the same account.</p><p>A revoked key cannot come back, and what still uses it gets 401 at once. Make a new one and give it to what broke.</p></div></section>
<section class="card"><header><h2>What is not known</h2></header><div class="in"><p>The service tells the last use of a key, and not each one.</p><p>The service does not say which key this exporter reads with. It is taken to be the one that was used when the keys were listed. Where several were, none is marked.</p>${!shows_personal_data && html`<p>Addresses and people are shown only where the web configuration asks for a login, or <code>web.personal_data_without_login</code> is set.</p>`}</div></section></div>`;
}

function drawHeading(verdict: KeyAnswer['verdict'], { verdicts, stale_after_ms }: Answer): Markup {
  const { title, mark, says } = sections[verdict];
  const total = verdicts[verdict];
  return html`<div>${mark}<h2>${title}</h2><span class="m">${says(showAge(stale_after_ms))}</span><span class="end">${showNumber(total)} ${total === 1 ? 'key' : 'keys'}</span></div>`;
}

function columnsOf(
  { keys, shows_personal_data, accounts }: Answer,
  { now }: Context,
): readonly (TableColumn<KeyAnswer> | false)[] {
  const created = keys.flatMap(({ created_at }) => (created_at === null ? [] : [Date.parse(created_at)]));
  const fromAt = Math.min(now, minOf(created));
  return [
    { title: 'Key', sort: 'name', show: showKey },
    accounts.length > 1 && { title: 'Account', sort: 'account', show: ({ account }) => shownName(account) },
    {
      title: 'Made',
      sort: 'created',
      show: ({ created_at }) =>
        created_at === null
          ? 'not known'
          : html`<time datetime=${created_at}>${created_at.slice(0, 10)}</time>`,
    },
    {
      title: 'Last used',
      sort: 'last_used',
      show: key => (isUndated(key) ? 'not known' : ago(key.last_used_at, now)),
    },
    { title: 'From creation to today', show: key => keyLife(key, { fromAt, untilAt: now }) },
    { number: 'Address changes', sort: 'changes', isSparse: true, show: key => key.address_changes || '' },
    shows_personal_data && {
      title: 'Used from',
      show: key =>
        (key.last_used_from_addr ?? '') !== '' &&
        html`<code>${shownName(key.last_used_from_addr ?? '')}</code>${sharedWith(key, keys)}${usesOf(key)}`,
    },
    shows_personal_data && {
      ...{ title: 'Created by', isSparse: true },
      show: ({ created_by }) => shownName(created_by ?? ''),
    },
    { title: 'What to do', isSparse: true, show: showRequest },
  ];
}

function showKey({ key_name, key_id, is_own }: KeyAnswer): Content {
  const id = key_name === null ? null : html`<code>${shownName(key_id)}</code>`;
  const own = is_own === true ? html` <span class="tag">this exporter’s own key</span>` : null;
  return html`<b id=${keyAnchor(key_id)}>${shownName(key_name ?? key_id)}</b> ${id}${own}`;
}

/** Only where it may be revoked. */
function showRequest({ revoke, verdict }: KeyAnswer): Content {
  const canGo = verdict === 'safe_to_revoke' || verdict === 'ask_first';
  return (
    canGo && revoke !== null && html`<details><summary>How to revoke</summary>${codeBox(revoke)}</details>`
  );
}

/** Keys that were last used from the same address are likely of the same owner. */
function sharedWith(
  { last_used_from_addr, key_id, account }: KeyAnswer,
  keys: readonly KeyAnswer[],
): Content {
  if (last_used_from_addr === null || last_used_from_addr === '') return null;
  const others = keys.filter(
    each =>
      each.last_used_from_addr === last_used_from_addr &&
      (each.key_id !== key_id || each.account !== account),
  );
  const [first] = others;
  if (first === undefined) return null;
  const more = others.length > 1 ? ` and ${showNumber(others.length - 1)} more` : '';
  return html`<span class="s">also used by ${shownName(first.key_name ?? first.key_id)}${more}</span>`;
}

/** The addresses a key was used from before. */
function usesOf({ uses }: KeyAnswer): Content {
  if (uses === null || uses.length < 2) return null;
  return html`<details><summary>${uses.length} uses</summary><ul>${uses.map(use => html`<li>${shownName(use.address ?? 'unknown')}: ${instant(use.from)} to ${instant(use.until)}</li>`)}</ul></details>`;
}

/** Whether it was used at a time that is not known. */
function isUndated({ created_at, last_used_at, idle_since }: KeyAnswer): boolean {
  return created_at !== null && last_used_at === null && idle_since === null;
}

/** Pixels of a drawn life. */
const lifeWidth = 240;
const lifeMiddle = 9;

/** The life of a key along the time of all: made, until its last use, and silent since. */
function keyLife(
  key: KeyAnswer,
  { fromAt, untilAt }: { readonly fromAt: number; readonly untilAt: number },
): Markup | null {
  const { created_at, last_used_at, gone_at } = key;
  if (created_at === null || isUndated(key)) return null;
  const place = (at: number) =>
    Math.round((6 + ((lifeWidth - 12) * (at - fromAt)) / Math.max(1, untilAt - fromAt)) * 10) / 10;
  const madeX = place(Date.parse(created_at));
  const usedX = last_used_at === null ? madeX : Math.max(madeX, place(Date.parse(last_used_at)));
  const endX = place(gone_at === null ? untilAt : Date.parse(gone_at));
  const until = last_used_at === null ? 'never used' : `last used ${last_used_at.slice(0, 10)}`;
  const label = `Made ${created_at.slice(0, 10)}, ${until}`;
  return html`<svg class="life" viewBox=${`0 0 ${lifeWidth} ${2 * lifeMiddle}`} role="img" aria-label=${label}><path class="gl" d=${`M6 ${lifeMiddle}H${lifeWidth - 6}`} /><rect x=${usedX} y=${lifeMiddle - 3} width=${Math.max(0, endX - usedX)} height="6" fill="url(#hm)" />${usedX > madeX && html`<rect class="fd" x=${madeX} y=${lifeMiddle - 3} width=${usedX - madeX} height="6" />`}<circle class=${usedX > madeX ? 'ring' : 'ringm'} cx=${madeX} cy=${lifeMiddle} r="3.5" /></svg>`;
}

const lifeLegend = html`<footer><div class="key"><span><svg viewBox="0 0 16 10" aria-hidden="true"><circle class="ring" cx="8" cy="5" r="3.5" /></svg>made</span><span><svg viewBox="0 0 16 10" aria-hidden="true"><rect class="fd" y="2" width="16" height="6" /></svg>until its last use</span><span><svg viewBox="0 0 16 10" aria-hidden="true"><rect y="2" width="16" height="6" fill="url(#hm)" /></svg>silent since</span></div></footer>`;
