import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import type { LiveAccount } from '../../../src/console/live-state.ts';
import { HistoryFolder } from '../../support/history-folder.ts';
import { openConsole } from '../../support/open-console.ts';
import { instant, minute, startAt } from '../../support/reading-builder.ts';

const folder = new HistoryFolder();
const now = startAt + 60 * minute;
const collector = (name: 'projects' | 'endpoints', success: boolean) => ({
  ...{ collector: name, success, lastSuccessAt: now - minute, lastDurationMs: 250 },
  errors: success ? {} : { timeout: 3 },
  ...(!success && { failing: { count: 2, since: now - 5 * minute } }),
});
const summary = { up: true, authOk: true, operationDurations: [], api_keys: [] };
let shown: Awaited<ReturnType<typeof openConsole>>;

beforeAll(async () => {
  shown = await openConsole({
    ...{ file: folder.file, now, accounts: ['shop', 'web'] },
    yaml: 'history: {backup: {every: 12h, keep: 4, directory: /backups}}\n',
    live: {
      historySizeBytes: 2_000_000,
      newestBackupAt: now - 10 * minute,
      setAside: {
        ...{ at: now - 2880 * minute, file: '/data/h.damaged', problem: 'file is not a database' },
        backup: { file: '/backups/one', at: now - 3000 * minute },
      },
      overviews: [
        {
          summary: {
            ...summary,
            account: 'shop',
            collectors: [collector('projects', true), collector('endpoints', false)],
          },
          ...{ projects: 3, endpoints: 4 },
        },
        {
          summary: { ...summary, account: 'web', collectors: [collector('projects', true)] },
          projects: 5,
          endpoints: 6,
        },
      ],
      accounts: [
        { account: 'shop', budgetPerMinute: 60, nextListAt: now + 20_000 },
        { account: 'web', budgetPerMinute: 40, pausedUntil: now + 5 * minute },
      ],
    },
  });
});
afterAll(() => {
  shown.close();
  folder[Symbol.dispose]();
});

test('tells backups, what was set aside, when lists are read next, and each condition', async () => {
  expect(await shown.json('/health')).toMatchObject({
    backup: { newest_at: instant(now - 10 * minute), every_ms: 43_200_000, keep: 4, directory: '/backups' },
    set_aside: {
      ...{ file: '/data/h.damaged', problem: 'file is not a database' },
      backup_at: instant(now - 3000 * minute),
    },
    shard: null,
    accounts: [
      {
        ...{ account: 'shop', next_list_at: instant(now + 20_000), paused_until: null },
        collectors: [{ failing_projects: null }, { collector: 'endpoints', failing_projects: 2 }],
      },
      { account: 'web', next_list_at: null, paused_until: instant(now + 5 * minute) },
    ],
    // What was set aside two days ago is no news.
    conditions: [
      {
        ...{ kind: 'collector_failing', account: 'shop', collector: 'endpoints' },
        sentence: 'The endpoints of account shop cannot be read for 2 projects',
        ...{ since: instant(now - 5 * minute), last_good: instant(now - minute) },
      },
    ],
  });
});

test('shows the same, and calls nothing read that is read in part', async () => {
  const { text } = await shown.get('/health');
  expect(text).toContain('<h2>The endpoints of account shop cannot be read for 2 projects</h2>');
  expect(text).toMatch(/<b>shop<\/b><\/td><td data-title="State"><span class="pill warn">read in part</);
  expect(text).toMatch(/<b>web<\/b><\/td><td data-title="State"><span class="pill good">read</);
  expect(text).toContain('<span class="pill crit">failed for 2</span>');
  expect(text).toMatch(/not before <time datetime="[^"]+">11:05:00/);
  expect(text).toMatch(/one every 12 h, 4 kept, in <code>\/backups<\/code>/);
});

test('an account that the service wants left alone is paused, and has no limit of 0', async () => {
  const pressure = {
    ...{ demandPerMinute: 12, oldestDueAt: now, skippedListPolls: 0, lateIdle: 0 },
    ...{ listPollIntervalMs: minute, listLagMs: 0, partialPolls: false },
  };
  const paused = { ...{ account: 'web', budgetPerMinute: 0, pausedUntil: now + minute }, pressure };
  const draw = async (accounts: LiveAccount[]) => {
    const own = await openConsole({ file: folder.file, now, accounts: ['web', 'shop'], live: { accounts } });
    onTestFinished(() => own.close());
    return (await own.get('/health')).text.replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' ');
  };
  const alone = await draw([paused]);
  expect(alone).toContain('Requests a minute 12 needed; the service wants none now (429)');
  expect(alone).toContain(' 12 needed, paused ');
  expect(alone).not.toContain('of 0 ');
  const both = await draw([paused, { account: 'shop', budgetPerMinute: 60, pressure }]);
  expect(both).toContain('Requests a minute 24 of 60 needed, of those allowed');
  expect(both).toContain(' 12 of 60 ');
});

test('accounts that fail for different reasons each have their cause and remedy; a banner says whose it tells', async () => {
  const failing = (account: string) => ({
    summary: { ...summary, account, up: false, collectors: [collector('projects', false)] },
    ...{ projects: 3, endpoints: 4 },
  });
  const problemOf = (account: string, reason: string, advice: string) => ({
    ...{
      what: 'a reading failed',
      about: { account, collector: 'projects' },
      reason,
      advice,
      message: advice,
    },
    ...{ sinceAt: now - minute, lastAt: now, failures: 6 },
  });
  const torn = await openConsole({
    ...{ file: folder.file, now, accounts: ['a', 'b', 'c'] },
    live: {
      overviews: ['a', 'b', 'c'].map(failing),
      problems: [
        problemOf('a', 'network', 'nothing listens there; check base_url'),
        problemOf('b', 'network', 'nothing listens there; check base_url'),
        problemOf('c', 'forbidden', 'the key may not read this; use another key'),
      ],
    },
  });
  onTestFinished(() => torn.close());
  const health = await torn.get('/health');
  expect(health.text).toMatch(
    /2 accounts cannot be read[\s\S]*Cause: nothing listens there\.[\s\S]*Check <code>base_url/,
  );
  expect(health.text).toMatch(
    /may not read its projects[\s\S]*Cause: the key may not read this\.[\s\S]*Use another key/,
  );
  expect((await torn.get('/')).text).toContain('Cause of the first: nothing listens there.');
});
