import { describe, expect, test } from 'vitest';
import { findConcerning } from '../../../src/console/banner.ts';
import { describeConditions } from '../../../src/console/condition/condition-list.ts';
import type { LiveState } from '../../../src/console/live-state.ts';
import { pages } from '../../../src/console/site.ts';
import { unwrittenReading } from '../../../src/history/file/history-error.ts';
import type { AccountSummary } from '../../../src/resources/account.ts';

const now = Date.parse('2026-11-24T20:41:00Z');
const minute = 60_000;
const iso = (at: number) => new Date(at).toISOString();

/** An account whose lists were both read a moment ago, and as told otherwise. */
function overview(account: string, more: Partial<AccountSummary> = {}) {
  const collector = (name: 'projects' | 'api_keys') =>
    ({ collector: name, success: true, lastSuccessAt: now - 1000, errors: {} }) as const;
  const collectors = [collector('projects'), collector('api_keys')];
  const summary = { account, up: true, authOk: true, collectors, operationDurations: [], api_keys: [] };
  return { summary: { ...summary, ...more }, projects: 3, endpoints: 5 };
}

const failed = (collector: 'projects' | 'api_keys', lastSuccessAt?: number) =>
  ({ collector, success: false, errors: {}, ...(lastSuccessAt !== undefined && { lastSuccessAt }) }) as const;
const refused = (account: string) =>
  overview(account, {
    ...{ up: false, authOk: false },
    collectors: [failed('projects', now - 33 * minute), failed('api_keys', now - 33 * minute)],
  });
const problemOf = (account: string) => ({
  ...{ what: 'a reading failed', about: { account, collector: 'projects' }, reason: 'unauthorized' },
  message: '401 from GET /projects: the key is revoked; make one; use it (the service says: no)',
  advice: 'the key is revoked; make one; use it',
  ...{ sinceAt: now - 32 * minute, lastAt: now - 9000, failures: 33 },
});

const describeLive = (live: Partial<LiveState>) =>
  describeConditions(
    {
      ...{ now, startedAt: now, overviews: [], accounts: [], problems: [], stalled: [], historySizeBytes: 0 },
      ...live,
    },
    {
      accounts: (live.overviews ?? []).map(({ summary: { account: name } }) => ({
        name,
        requestsPerMinute: 60,
        base_url: 'http://localhost/',
      })),
    },
  );

/** The kinds of what concerns a page. */
function concerning(conditions: ReturnType<typeof describeConditions>, path: string, account = '') {
  const page = pages.find(each => each.path === path);
  if (page === undefined) throw new Error(`no page ${path}`);
  return findConcerning({ conditions, page, account }).map(({ kind }) => kind);
}

describe('a refused key', () => {
  const live = {
    overviews: [refused('shop'), overview('web')],
    problems: [problemOf('shop')],
    accounts: [{ account: 'shop', budgetPerMinute: 60, nextListAt: now + 51_000 }],
  };

  test('is told with cause and remedy of the log, when it was last read and when it is tried next', () => {
    expect(describeLive(live)).toEqual([
      {
        ...{ kind: 'key_refused', severity: 'critical', account: 'shop', collector: null },
        sentence: 'The service refuses the API key of account shop',
        ...{ effect: null, cause: 'the key is revoked' },
        remedy: [
          'make one',
          'use it',
          'dbpm-exporter check asks the service from this host with the same configuration, and says what it answers',
        ],
        help: '/help/alerts/DbpmKeyRejected',
        log: '401 from GET /projects: the key is revoked; make one; use it (the service says: no)',
        ...{ since: iso(now - 32 * minute), last_good: iso(now - 33 * minute), failures: 33 },
        ...{ last_attempt: iso(now - 9000), attempt_since: null, next_attempt: iso(now + 51_000) },
      },
    ]);
  });

  test('concerns the pages of its account and those of all accounts, and no other page', () => {
    const conditions = describeLive(live);
    for (const path of ['/', '/projects', '/cost', '/findings', '/keys', '/operations']) {
      expect([path, concerning(conditions, path)]).toEqual([path, ['key_refused']]);
      expect([path, concerning(conditions, path, 'shop')]).toEqual([path, ['key_refused']]);
      expect([path, concerning(conditions, path, 'web')]).toEqual([path, []]);
    }
    for (const path of ['/words', '/help', '/health'])
      expect([path, concerning(conditions, path)]).toEqual([path, []]);
  });

  test('is not asked for before the service wants to be, and what is not sent is no attempt', () => {
    const [account] = live.accounts;
    const paused = { ...account, account: 'shop', budgetPerMinute: 0, pausedUntil: now + 10 * minute };
    expect(describeLive({ ...live, accounts: [{ ...paused, listingSince: now - 1000 }] })).toMatchObject([
      { next_attempt: iso(now + 10 * minute), last_attempt: null, attempt_since: null },
    ]);
    const trying = { ...paused, pausedUntil: now - 1, listingSince: now - 1000 };
    expect(describeLive({ ...live, accounts: [trying] })).toMatchObject([
      { attempt_since: iso(now - 1000), last_attempt: iso(now - 9000) },
    ]);
  });
});

test('a list of keys that fails alone concerns the page of keys, and leaves the account read', () => {
  const collectors = [overview('shop').summary.collectors[0], failed('api_keys')].flatMap(each => each ?? []);
  const conditions = describeLive({ overviews: [overview('shop', { up: false, collectors })] });
  expect(conditions).toMatchObject([
    {
      ...{ kind: 'collector_failing', severity: 'warning', collector: 'api_keys', last_good: null },
      sentence: 'The API keys of account shop cannot be read',
    },
  ]);
  expect(concerning(conditions, '/keys')).toEqual(['collector_failing']);
  expect(concerning(conditions, '/cost')).toEqual([]);
});

test('keys that are read concern nobody where the list of projects alone fails', () => {
  const keys = { collector: 'api_keys', success: true, lastSuccessAt: now, errors: {} } as const;
  const conditions = describeLive({
    overviews: [overview('shop', { up: false, collectors: [failed('projects', now - minute), keys] })],
  });
  expect(conditions).toMatchObject([{ kind: 'account_unreadable', collector: 'projects' }]);
  expect(concerning(conditions, '/keys')).toEqual([]);
  expect(concerning(conditions, '/')).toEqual(['account_unreadable']);
});

test.each([
  ['network', 'The service cannot be reached for account shop'],
  ['timeout', 'The service does not answer in time for account shop'],
  ['unavailable', 'The service has trouble and does not serve account shop'],
  ['rate_limited', 'The service turns the requests of account shop away'],
  ['forbidden', 'The API key of account shop may not read its projects'],
  ['malformed', 'Account shop cannot be read'],
])('a list that fails with %s is said in a sentence of its own', (reason, sentence) => {
  const shop = overview('shop', { up: false, collectors: [failed('projects'), failed('api_keys')] });
  const problems = [{ ...problemOf('shop'), reason }];
  expect(describeLive({ overviews: [shop], problems })).toMatchObject([
    { kind: 'account_unreadable', sentence },
  ]);
});

test('an account whose readings cannot be written is not said to be unreadable, and says what keeps them out', () => {
  const shop = overview('shop', { up: false, collectors: [failed('projects'), failed('api_keys')] });
  const problem = {
    ...{ what: unwrittenReading, about: {}, reason: 'SQLITE_FULL' },
    message: 'the reading of shop could not be written to h (disk is full): make room on its disk',
    advice: 'disk is full; make room on its disk',
    ...{ sinceAt: now - minute, lastAt: now - 1000, failures: 6 },
  };
  expect(describeLive({ overviews: [shop], problems: [problem] })).toMatchObject([
    {
      ...{ kind: 'history_unwritable', severity: 'critical', account: 'shop' },
      sentence: 'What is read of account shop cannot be written to the history',
      ...{ cause: 'disk is full', remedy: ['make room on its disk'] },
      help: '/help/alerts/DbpmHistoryWriteFailed',
    },
  ]);
});

test('a history that turns out damaged says on every page of figures that a restart mends it', () => {
  const conditions = describeLive({ overviews: [overview('shop')], isDamaged: true });
  expect(conditions).toMatchObject([
    {
      ...{ kind: 'history_damaged', severity: 'warning', account: null },
      sentence: 'A part of the history is damaged',
      remedy: [expect.stringMatching(/^start the daemon again/), expect.stringMatching(/disk/)],
      help: '/help/alerts/DbpmHistoryDamaged',
    },
  ]);
  for (const path of ['/', '/cost', '/keys'])
    expect(concerning(conditions, path)).toEqual(['history_damaged']);
});

test('what was never read, is being imported, or is empty is no failure, and never passed over', () => {
  const list = { collector: 'projects', success: true, lastSuccessAt: now, errors: {} } as const;
  const conditions = describeLive({
    overviews: [
      { ...overview('new'), summary: { ...overview('new').summary, up: undefined, collectors: [] } as never },
      overview('old', { importsLeft: 2, collectors: [list] }),
      { ...overview('bare'), projects: 0 },
      overview('fine'),
    ],
  });
  expect(conditions.map(({ kind, severity, sentence }) => [kind, severity, sentence])).toEqual([
    ['account_unread', 'info', 'Account new is being read for the first time'],
    ['importing', 'info', 'The past of account old is still being read'],
    ['account_empty', 'info', 'Account bare has no projects'],
  ]);
});

test('a history that was set aside says what is lost, for as long as that is news', () => {
  const setAside = {
    ...{ at: now - minute, file: '/h.damaged', problem: 'file is not a database' },
    backup: { file: '/h.backup', at: now - 60 * minute },
  };
  expect(describeLive({ setAside })).toMatchObject([
    {
      kind: 'history_set_aside',
      sentence: 'The history was damaged and set aside, and the newest backup goes on in its place',
      effect: `what was recorded since ${iso(now - 60 * minute)} is lost but for what the service still tells`,
      cause: 'file is not a database; the damaged file is /h.damaged',
      remedy: ['look at the disk, which may be failing'],
      last_good: iso(now - 60 * minute),
    },
  ]);
  expect(describeLive({ setAside: { ...setAside, at: now - 25 * 60 * minute } })).toEqual([]);
});
