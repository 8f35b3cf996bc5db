import * as v from 'valibot';
import { nameHistories } from '../../../history/file/history-list.ts';
import { instantField, writeInstant, writeMaybeInstant } from '../../answer-field.ts';
import type { LiveAccount, LiveState } from '../../live-state.ts';
import { definePage } from '../../page.ts';
import { html, type Markup } from '../../part/html.ts';
import { ago } from '../../part/instant.ts';
import { showBytes, showNumber } from '../../part/number.ts';
import { shownSentence } from '../../part/shown-text.ts';
import { type TableColumn, table } from '../../part/table.ts';
import { drawHistories, historiesField, listHistoryFiles } from './history-list.ts';

const collectorField = v.object({
  collector: v.string(),
  success: v.nullable(v.boolean()),
  last_success_at: v.nullable(instantField),
  last_duration_ms: v.nullable(v.number()),
  errors: v.record(v.string(), v.number()),
});
const accountField = v.object({
  account: v.string(),
  up: v.nullable(v.boolean()),
  auth_ok: v.nullable(v.boolean()),
  projects: v.number(),
  endpoints: v.number(),
  oldest_read_at: v.nullable(instantField),
  imports_left: v.nullable(v.number()),
  budget_per_minute: v.nullable(v.number()),
  demand_per_minute: v.nullable(v.number()),
  oldest_due_at: v.nullable(instantField),
  collectors: v.array(collectorField),
});
const problemField = v.object({
  what: v.string(),
  about: v.record(v.string(), v.string()),
  reason: v.nullable(v.string()),
  /** The cause and the remedy, as the log has them. */
  message: v.string(),
  since: instantField,
  failures: v.number(),
});
const answer = v.object({
  started_at: instantField,
  history_file: v.string(),
  history_size_bytes: v.number(),
  standby: v.nullable(v.object({ is_standby: v.boolean(), takeovers: v.nullable(v.number()) })),
  last_reload: v.nullable(v.object({ at: instantField, succeeded: v.boolean() })),
  stalled: v.array(v.object({ account: v.string(), what: v.string() })),
  problems: v.array(problemField),
  accounts: v.array(accountField),
  histories: historiesField,
});

/** How the daemon itself does: accounts, collectors, ages, request budgets, what fails. */
export const healthPage = definePage({
  path: '/health',
  apiPath: '/health',
  title: 'Health',
  summary: 'How the daemon does: accounts, collectors, ages, request budgets, and what fails.',
  isListed: true,
  words: ['request_budget', 'import', 'freshness'],
  query: v.object({}),
  answer,
  read: ({ config }, _query, { live }) => ({
    started_at: writeInstant(live.startedAt),
    history_file: nameHistories(config.history.file),
    history_size_bytes: live.historySizeBytes,
    standby: live.succession
      ? { is_standby: live.succession.isStandby, takeovers: live.succession.takeovers ?? null }
      : null,
    last_reload: live.lastReload ? { ...live.lastReload, at: writeInstant(live.lastReload.at) } : null,
    stalled: live.stalled.map(({ account, what }) => ({ account, what })),
    problems: live.problems.map(({ sinceAt, reason = null, ...problem }) => ({
      ...problem,
      reason,
      since: writeInstant(sinceAt),
    })),
    accounts: listAccounts(live),
    histories: listHistoryFiles(live, config),
  }),
  draw: (health, { now }) => html`
${health.histories && drawHistories(health.histories, now)}
${health.histories === null && health.problems.length + health.stalled.length === 0 ? html`<p class="good">Nothing fails at the moment.</p>` : null}
${health.stalled.length > 0 && html`<ul class="bad">${health.stalled.map(({ account, what }) => html`<li>Polling has stalled: ${what} of ${account}. Start the daemon again, and keep its log.</li>`)}</ul>`}
${
  health.problems.length > 0 &&
  html`<h2>What fails</h2>${table({
    caption: 'What fails at the moment',
    whenEmpty: '',
    isStacked: true,
    rows: health.problems,
    columns: [
      { title: 'What', show: ({ what }) => what },
      { title: 'Where', show: ({ about }) => Object.values(about).join(', ') },
      { title: 'Why, and what to do', show: ({ message }) => shownSentence(message) },
      { title: 'Since', show: ({ since }) => ago(since, now) },
      { title: 'Failures', isNumber: true, show: ({ failures }) => showNumber(failures) },
    ],
  })}`
}
<h2>Accounts</h2>
${table({
  caption: 'Accounts',
  whenEmpty: 'No account is configured.',
  isStacked: true,
  rows: health.accounts,
  columns: [
    { title: 'Account', show: ({ account }) => account },
    { title: 'State', show: each => accountState(each) },
    { title: 'Projects', isNumber: true, show: ({ projects }) => showNumber(projects) },
    { title: 'Endpoints', isNumber: true, show: ({ endpoints }) => showNumber(endpoints) },
    {
      title: 'Project read longest ago',
      word: 'freshness',
      show: ({ oldest_read_at }) => ago(oldest_read_at, now),
    },
    {
      title: 'Projects still to import',
      word: 'import',
      isNumber: true,
      show: ({ imports_left }) => (imports_left === null ? '' : showNumber(imports_left)),
    },
    ...(health.histories === null ? requestColumns(now) : []),
  ],
})}
<h2>Collectors</h2>
${table({
  caption: 'Collectors of each account',
  whenEmpty: 'Nothing was read yet.',
  isStacked: true,
  rows: health.accounts.flatMap(({ account, collectors }) => collectors.map(each => ({ account, ...each }))),
  columns: [
    { title: 'Account', show: ({ account }) => account },
    { title: 'Collector', show: ({ collector }) => collector },
    {
      title: 'Last attempt',
      show: ({ success }) =>
        success === null
          ? 'not tried yet'
          : success
            ? html`<span class="badge good">succeeded</span>`
            : html`<span class="badge bad">failed</span>`,
    },
    { title: 'Last success', show: ({ last_success_at }) => ago(last_success_at, now) },
    {
      title: 'Took',
      isNumber: true,
      show: ({ last_duration_ms }) =>
        last_duration_ms === null ? '' : `${showNumber(last_duration_ms / 1000, 2)} s`,
    },
    {
      title: 'Errors ever',
      show: ({ errors }) =>
        Object.entries(errors)
          .map(([reason, count]) => `${reason} ${showNumber(count)}`)
          .join(', ') || 'none',
    },
  ],
})}
${drawProgram(health, now)}`,
});

type Health = v.InferOutput<typeof answer>;

function requestColumns(now: number): readonly TableColumn<v.InferOutput<typeof accountField>>[] {
  return [
    {
      title: 'Requests a minute, allowed',
      word: 'request_budget',
      isNumber: true,
      show: ({ budget_per_minute }) => (budget_per_minute === null ? '' : showNumber(budget_per_minute)),
    },
    {
      title: 'Needed',
      isNumber: true,
      show: ({ demand_per_minute }) => (demand_per_minute === null ? '' : showNumber(demand_per_minute)),
    },
    { title: 'Waiting since', show: ({ oldest_due_at }) => ago(oldest_due_at, now, 'nothing waits') },
  ];
}

/** The daemon, or the console where none runs here. */
function drawProgram(health: Health, now: number): Markup {
  const isDaemon = health.histories === null;
  return html`<h2>${isDaemon ? 'The daemon' : 'This console'}</h2>
<dl class="facts">
<dt>Started</dt><dd>${ago(health.started_at, now)}</dd>
${isDaemon && html`<dt>History</dt><dd><code>${health.history_file}</code>, ${showBytes(health.history_size_bytes)}</dd>`}
${health.standby && html`<dt>Standby</dt><dd>${health.standby.is_standby ? 'waits for another daemon to leave the history' : 'has the history'}; ${health.standby.takeovers === null ? 'how often one took over is not known' : `a standby took over ${showNumber(health.standby.takeovers)} times`}</dd>`}
<dt>Configuration</dt><dd>${health.last_reload === null ? 'as it was at the start' : html`${health.last_reload.succeeded ? 'loaded again' : html`<span class="bad">could not be loaded again</span>`} ${ago(health.last_reload.at, now)}`}</dd>
</dl>`;
}

function listAccounts({ overviews, accounts }: LiveState): v.InferOutput<typeof accountField>[] {
  const known = new Map(overviews.map(overview => [overview.summary.account, overview]));
  // A standby polls none.
  const shown: readonly Partial<LiveAccount>[] =
    accounts.length > 0 ? accounts : overviews.map(({ summary: { account } }) => ({ account }));
  return shown.map(({ account = '', budgetPerMinute = null, pressure }) => {
    const overview = known.get(account);
    const summary = overview?.summary;
    return {
      account,
      up: summary?.up ?? null,
      auth_ok: summary?.authOk ?? null,
      projects: overview?.projects ?? 0,
      endpoints: overview?.endpoints ?? 0,
      oldest_read_at: writeMaybeInstant(overview?.oldestReadAt),
      imports_left: summary?.importsLeft ?? null,
      budget_per_minute: budgetPerMinute,
      demand_per_minute: pressure?.demandPerMinute ?? null,
      oldest_due_at: writeMaybeInstant(pressure?.oldestDueAt),
      collectors: (summary?.collectors ?? []).map(each => ({
        collector: each.collector,
        success: each.success ?? null,
        last_success_at: writeMaybeInstant(each.lastSuccessAt),
        last_duration_ms: each.lastDurationMs ?? null,
        errors: Object.fromEntries(Object.entries(each.errors).filter(([, count]) => count > 0)),
      })),
    };
  });
}

function accountState({ up, auth_ok, imports_left }: v.InferOutput<typeof accountField>) {
  if (auth_ok === false) return html`<span class="badge bad">key refused</span>`;
  if (up === false) return html`<span class="badge bad">cannot be read</span>`;
  if (up === null) return html`<span class="badge quiet">not read yet</span>`;
  return (imports_left ?? 0) > 0
    ? html`<span class="badge warn">importing</span>`
    : html`<span class="badge good">fine</span>`;
}
