import { dayMs } from '../../../resources/duration.ts';
import { drawCondition, drawNotes } from '../../banner.ts';
import type { Condition } from '../../condition/condition.ts';
import type { DrawContext } from '../../page.ts';
import { card, textCard } from '../../part/card.ts';
import { countOf } from '../../part/count-word.ts';
import { type Content, html, type Markup } from '../../part/html.ts';
import { ago, clock, showAge } from '../../part/instant.ts';
import { showBytes, showNumber } from '../../part/number.ts';
import { shownName } from '../../part/shown-text.ts';
import { type TableColumn, table } from '../../part/table.ts';
import { type Tile, tileStrip } from '../../part/tile.ts';
import type { Health, HealthAccount } from './health-answer.ts';
import { drawHistories } from './history-list.ts';

export function drawHealth(health: Health, { now }: DrawContext<unknown>): Markup {
  const { conditions, accounts, histories } = health;
  const told = conditions.filter(({ severity }) => severity !== 'info');
  // Conditions of a group have the same remedy, or the same cause where there is none: it stands once below them.
  const groups = Map.groupBy(told, ({ kind, remedy, cause }) =>
    JSON.stringify([kind, remedy.length > 0 ? remedy : cause]),
  );
  return html`${[...groups.values()].map(together => drawCondition(together, now))}
${drawNotes(
  conditions.filter(({ severity }) => severity === 'info'),
  now,
)}
${drawTiles(health, now)}
${histories && drawHistories(histories, now)}
${card(
  'Accounts',
  table({
    caption: 'Accounts',
    whenEmpty: 'No account is configured.',
    isStacked: true,
    rows: accounts,
    columns: [...accountColumns(conditions, now), ...(histories === null ? requestColumns(now) : [])],
  }),
)}
${card('Collectors', drawCollectors(accounts, now))}
${drawProgram(health, now)}`;
}

/** How it goes in four figures; one that was never read is not known. */
function drawTiles({ accounts, backup, history_size_bytes }: Health, now: number): Markup {
  const lists = accounts.map(({ collectors }) =>
    collectors.find(({ collector }) => collector === 'projects'),
  );
  const read = lists.filter(list => list?.success).length;
  const oldest = lists.map(list => list?.last_success_at ?? null).toSorted()[0] ?? null;
  const needed = accounts.reduce((sum, { demand_per_minute }) => sum + (demand_per_minute ?? 0), 0);
  const allowed = accounts.reduce((sum, { budget_per_minute }) => sum + (budget_per_minute ?? 0), 0);
  const isPolled = accounts.some(({ budget_per_minute }) => budget_per_minute !== null);
  const isKnown = accounts.length > 0 && lists.every(list => list?.last_success_at);
  const tiles: readonly Tile[] = [
    {
      title: 'Accounts read',
      figure: html`${showNumber(read)} <small>of ${showNumber(accounts.length)}</small>`,
      detail: 'at the last attempt',
    },
    {
      title: 'Oldest list of projects',
      figure: isKnown && oldest !== null ? showAge(now - Date.parse(oldest)) : 'not known',
      detail: isKnown ? 'since it was read' : 'Not every account was read yet.',
    },
    {
      title: 'Requests a minute',
      figure: isPolled
        ? html`${showNumber(needed)}${allowed > 0 && html` <small>of ${showNumber(allowed)}</small>`}`
        : 'not known',
      detail: sayAllowed(isPolled, allowed),
    },
    {
      title: 'History',
      figure: showBytes(history_size_bytes),
      detail:
        backup === null
          ? 'No backups are made here.'
          : html`newest backup ${ago(backup.newest_at, now, 'not made yet')}`,
    },
  ];
  return tileStrip(tiles);
}

/** None are allowed while the service answers that there were too many. */
function sayAllowed(isPolled: boolean, allowed: number): string {
  if (!isPolled) return 'Nothing is polled here.';
  return allowed > 0 ? 'needed, of those allowed' : 'needed; the service wants none now (429)';
}

function accountColumns(
  conditions: readonly Condition[],
  now: number,
): readonly TableColumn<HealthAccount>[] {
  return [
    { title: 'Account', show: ({ account }) => html`<b>${shownName(account)}</b>` },
    { title: 'State', show: each => accountState(each, conditions) },
    { number: 'Projects', show: ({ projects }) => showNumber(projects) },
    { number: 'Endpoints', show: ({ endpoints }) => showNumber(endpoints) },
    {
      title: 'Project read longest ago',
      word: 'freshness',
      show: ({ oldest_read_at }) => ago(oldest_read_at, now),
    },
    {
      number: 'Projects still to import',
      word: 'import',
      show: each => showNumber(each.imports_left),
    },
  ];
}

const states: Readonly<Partial<Record<Condition['kind'], readonly [tone: string, words: string]>>> = {
  key_refused: ['crit', 'key refused'],
  account_unreadable: ['crit', 'cannot be read'],
  history_unwritable: ['crit', 'not written'],
  polling_stalled: ['crit', 'stalled'],
  history_behind: ['crit', 'behind'],
  collector_failing: ['warn', 'read in part'],
  problem_lasting: ['warn', 'a problem lasts'],
  account_unread: ['', 'not read yet'],
  importing: ['warn', 'importing'],
  account_empty: ['', 'no projects'],
};

/** Green says that all of it was read. */
function accountState({ account, up }: HealthAccount, conditions: readonly Condition[]): Markup {
  const own = conditions.find(each => each.account === account && states[each.kind] !== undefined);
  const [tone, words] = (own && states[own.kind]) ?? (up === true ? ['good', 'read'] : ['', 'not read yet']);
  return pill(tone, words);
}

function pill(tone: string, words: string): Markup {
  return html`<span class=${tone === '' ? 'pill' : `pill ${tone}`}>${words}</span>`;
}

function requestColumns(now: number): readonly TableColumn<HealthAccount>[] {
  return [
    {
      number: 'Requests a minute',
      word: 'request_budget',
      show: ({ budget_per_minute: allowed, demand_per_minute: needed }) => {
        if (allowed === 0) return needed === null ? 'paused' : `${showNumber(needed)} needed, paused`;
        return allowed === null || needed === null
          ? showNumber(allowed)
          : `${showNumber(needed)} of ${showNumber(allowed)}`;
      },
    },
    { title: 'Waiting since', show: ({ oldest_due_at }) => ago(oldest_due_at, now, 'nothing waits') },
    {
      title: 'Next list',
      show: ({ paused_until, next_list_at }) =>
        paused_until !== null
          ? html`not before ${clock(paused_until, now)}`
          : next_list_at === null
            ? ''
            : clock(next_list_at, now),
    },
  ];
}

function drawCollectors(accounts: readonly HealthAccount[], now: number): Markup {
  return table({
    caption: 'Collectors of each account',
    whenEmpty: 'Nothing was read yet.',
    isStacked: true,
    rows: accounts.flatMap(({ account, collectors }) => collectors.map(each => ({ account, ...each }))),
    columns: [
      { title: 'Account', show: ({ account }) => shownName(account) },
      { title: 'Collector', show: ({ collector }) => collector },
      {
        title: 'Last attempt',
        show: ({ success, failing_projects }) =>
          success === null
            ? pill('', 'not tried yet')
            : success
              ? pill('good', 'succeeded')
              : pill(
                  'crit',
                  failing_projects === null ? 'failed' : `failed for ${showNumber(failing_projects)}`,
                ),
      },
      { title: 'Last success', show: ({ last_success_at }) => ago(last_success_at, now) },
      {
        number: 'Took',
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
  });
}

/** The daemon, or the console where none runs here. */
function drawProgram(health: Health, now: number): Markup {
  const { histories, standby, last_reload, set_aside, shard } = health;
  const isDaemon = histories === null;
  const facts: readonly (readonly [string, Content] | false)[] = [
    ['Started', ago(health.started_at, now)],
    isDaemon && [
      'History',
      html`<code>${health.history_file}</code>, ${showBytes(health.history_size_bytes)}`,
    ],
    isDaemon && ['Backups', describeBackup(health, now)],
    set_aside !== null && [
      'Set aside',
      html`<code>${set_aside.file}</code>, ${ago(set_aside.at, now)}: ${set_aside.problem}. ${set_aside.backup_at === null ? 'All counters began anew.' : html`The backup of ${clock(set_aside.backup_at, now)} went on in its place.`}`,
    ],
    shard !== null && ['Shard', `${shard}: its share of the projects`],
    standby !== null && [
      'Standby',
      `${standby.is_standby ? 'waits for another daemon to leave the history' : 'has the history'}; ${standby.takeovers === null ? 'how often one took over is not known' : `a standby took over ${countOf(standby.takeovers, 'time')}`}`,
    ],
    [
      'Configuration',
      last_reload === null
        ? 'as it was at the start'
        : html`${last_reload.succeeded ? 'loaded again' : html`<span class="crit">could not be loaded again</span>`} ${ago(last_reload.at, now)}`,
    ],
  ];
  const shown = facts.filter(each => each !== false);
  const title = isDaemon ? 'The daemon' : 'This console';
  return textCard(
    title,
    html`<dl class="facts">${shown.map(([name, value]) => html`<dt>${name}</dt><dd>${value}</dd>`)}</dl>`,
  );
}

function describeBackup({ backup }: Health, now: number): Content {
  if (backup === null) return html`none: set <code>history.backup.every</code>`;
  const { newest_at, every_ms, keep, directory } = backup;
  const where = directory === '' ? 'beside the history' : html`in <code>${directory}</code>`;
  const often = every_ms === dayMs ? 'once a day' : `every ${showAge(every_ms)}`;
  return html`the newest ${ago(newest_at, now, 'is not made yet')}; one ${often}, ${showNumber(keep)} kept, ${where}`;
}
