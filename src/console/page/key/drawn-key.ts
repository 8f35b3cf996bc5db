import type { InferOutput } from 'valibot';
import type { DrawContext } from '../../page.ts';
import { filterForm } from '../../part/filter-form.ts';
import { html, type Markup } from '../../part/html.ts';
import { ago, instant, showAge } from '../../part/instant.ts';
import { pager } from '../../part/pager.ts';
import { shownName } from '../../part/shown-text.ts';
import { type TableColumn, table } from '../../part/table.ts';
import { idleMs } from './key-idle.ts';
import type { KeyAnswer, keyQuery, keysField } from './key-schema.ts';

type Context = DrawContext<InferOutput<typeof keyQuery>>;

const kindWords = { all: 'all', stale: 'stale', never_used: 'never used', gone: 'gone' } as const;

/** The page of API keys. */
export function drawKeys(answer: InferOutput<typeof keysField>, context: Context): Markup {
  const { keys, stale_after_ms, shows_personal_data, read_by_shard, count, next_cursor } = answer;
  const { now, path, query } = context;
  const { sort, order, cursor, ...state } = query;
  return html`<p>A key is stale when it was not used for ${showAge(stale_after_ms)} (<code>keys.stale_after</code>). It still gives access to everything in the account: revoke it if it is not needed. ${!shows_personal_data && 'Addresses and people are shown only where the web configuration asks for a login, or web.personal_data_without_login is set.'}</p>
${filter(context)}
${table({
  caption: 'API keys',
  whenEmpty:
    read_by_shard === null
      ? 'There are no such API keys.'
      : `Shard ${read_by_shard} reads the API keys: see its console.`,
  ordered: { sort, order, path, state },
  isStacked: true,
  rows: keys,
  columns: [
    {
      title: 'Key',
      sort: 'name',
      show: key =>
        html`<strong>${shownName(key.key_name ?? key.key_id)}</strong> <code class="quiet">${shownName(key.key_id)}</code>`,
    },
    { title: 'Account', sort: 'account', show: key => key.account },
    { title: 'State', show: key => stateOf(key) },
    {
      title: 'Unused for',
      sort: 'idle',
      isNumber: true,
      show: key => {
        const ms = idleMs(key, now);
        return ms === null ? '' : showAge(ms);
      },
    },
    { title: 'Last used', sort: 'last_used', show: key => ago(key.last_used_at, now) },
    { title: 'Created', sort: 'created', show: key => instant(key.created_at) },
    { title: 'Address changes', sort: 'changes', isNumber: true, show: key => key.address_changes },
    ...(shows_personal_data ? personalColumns(keys) : []),
  ],
})}
${pager({ path, state: { ...state, sort, order }, cursor, nextCursor: next_cursor, shown: keys.length, total: count, noun: 'API keys' })}`;
}

function stateOf(key: KeyAnswer) {
  if (key.gone_at !== null) return html`<span class="badge quiet">gone</span> ${instant(key.gone_at)}`;
  if (key.stale === true) {
    return html`<span class="badge warn">${key.last_used_at === null ? 'never used' : 'stale'}</span>`;
  }
  return key.last_used_at === null
    ? html`<span class="badge quiet">not used yet</span>`
    : html`<span class="badge good">in use</span>`;
}

function personalColumns(keys: readonly KeyAnswer[]): readonly TableColumn<KeyAnswer>[] {
  const isCreatorKnown = keys.some(({ created_by }) => created_by !== null);
  return [
    { title: 'Used from', show: key => html`${shownName(key.last_used_from_addr ?? '')}${usesOf(key)}` },
    ...(isCreatorKnown
      ? [{ title: 'Created by', show: (key: KeyAnswer) => shownName(key.created_by ?? '') }]
      : []),
  ];
}

/** The addresses a key was used from before. */
function usesOf({ uses }: KeyAnswer) {
  if (uses === null || uses.length < 2) return null;
  return html`<details><summary>${uses.length} uses</summary><ul>${uses.map(use => html`<li>${shownName(use.address ?? 'unknown')}: ${instant(use.from)} to ${instant(use.until)}</li>`)}</ul></details>`;
}

function filter({ path, query }: Context): Markup {
  const { show, cursor: _first, ...kept } = query;
  const kinds = Object.entries(kindWords).map(([value, label]) => ({ value, label }));
  const fields = [{ name: 'show', label: 'Keys', value: show, options: kinds }];
  return filterForm({ label: 'Filter of API keys', path, kept, fields });
}
