import * as v from 'valibot';
import { renderShard } from '../../../resources/shard.ts';
import { instantField } from '../../answer-field.ts';
import { writeMaybeInstant } from '../../answer-value.ts';
import { findHistoryGaps } from '../../condition/history-gap.ts';
import type { ConsoleConfig } from '../../console-config.ts';
import type { LiveState } from '../../live-state.ts';
import { card } from '../../part/card.ts';
import { html, type Markup } from '../../part/html.ts';
import { ago } from '../../part/instant.ts';
import { showBytes, showNumber } from '../../part/number.ts';
import { table } from '../../part/table.ts';

const knownField = v.object({
  account: v.string(),
  projects: v.number(),
  newest_read_at: v.nullable(instantField),
  oldest_read_at: v.nullable(instantField),
});

/** The histories that are looked at without a daemon, and what they lack; null where a daemon shows its own. */
export const historiesField = v.nullable(
  v.object({
    files: v.array(
      v.object({
        file: v.string(),
        size_bytes: v.number(),
        /** Why it cannot be read; null where it can. */
        problem: v.nullable(v.string()),
        /** Such as 0/3; null where it is of all projects. */
        shard: v.nullable(v.string()),
        accounts: v.array(knownField),
      }),
    ),
    gaps: v.array(
      v.object({ kind: v.string(), text: v.string(), detail: v.string(), at: v.nullable(instantField) }),
    ),
  }),
);
type HistoriesAnswer = v.InferOutput<typeof historiesField>;

export function listHistoryFiles(
  { histories, now }: LiveState,
  { accounts }: Pick<ConsoleConfig, 'accounts'>,
): HistoriesAnswer {
  if (histories === undefined) return null;
  const names = accounts.map(({ name }) => name);
  return {
    files: histories.map(({ file, sizeBytes, problem = null, shard, accounts: known }) => ({
      ...{ file, size_bytes: sizeBytes, problem, shard: shard === undefined ? null : renderShard(shard) },
      accounts: known.map(({ summary, projects, newestReadAt, oldestReadAt }) => ({
        ...{ account: summary.account, projects },
        newest_read_at: writeMaybeInstant(newestReadAt),
        oldest_read_at: writeMaybeInstant(oldestReadAt),
      })),
    })),
    gaps: findHistoryGaps(histories, names, now).map(({ text, detail, at, condition: { kind } }) => ({
      ...{ kind, text, detail, at: writeMaybeInstant(at) },
    })),
  };
}

/** A row for each account of each file. */
export function drawHistories({ files }: NonNullable<HistoriesAnswer>, now: number): Markup {
  const rows = files.flatMap(file => {
    const [first, ...others] = file.accounts;
    return [{ file, known: first }, ...others.map(known => ({ file, known }))];
  });
  return html`<p class="mb">No daemon runs here: this reads the histories below, and asks the service nothing. What fails just now, what waits and how many requests are left only the daemons themselves know.</p>
${card(
  'Histories',
  table({
    caption: 'Histories',
    isStacked: true,
    rows,
    columns: [
      { title: 'File', show: ({ file }) => html`<code>${file.file}</code>` },
      {
        title: 'State',
        show: ({ file: { problem } }) =>
          problem === null
            ? html`<span class="pill good">read</span>`
            : html`<span class="pill crit">not read</span> ${problem}`,
      },
      { number: 'Size', show: ({ file }) => showBytes(file.size_bytes) },
      { title: 'Shard', show: ({ file }) => file.shard ?? 'all projects' },
      { title: 'Account', show: ({ known }) => known?.account ?? 'none' },
      { number: 'Projects', show: ({ known }) => known && showNumber(known.projects) },
      {
        title: 'Newest reading',
        word: 'freshness',
        show: ({ known }) => ago(known?.newest_read_at ?? null, now),
      },
      { title: 'Project read longest ago', show: ({ known }) => ago(known?.oldest_read_at ?? null, now) },
    ],
  }),
)}`;
}
