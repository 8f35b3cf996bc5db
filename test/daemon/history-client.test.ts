import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { MessageChannel } from 'node:worker_threads';
import { gunzipSync } from 'node:zlib';
import { expect, onTestFinished, test } from 'vitest';
import { HistoryClient } from '../../src/daemon/history-client.ts';
import type { UsageDisplay } from '../../src/daemon/usage-worker.ts';
import type { Calculation } from '../../src/report/usage-view/calculator.ts';
import type { RequestBudgetState } from '../../src/resources/request-budget.ts';
import { Link } from '../../src/thread/link.ts';
import { HistoryFolder } from '../support/history-folder.ts';
import { patience } from '../support/patience.ts';
import {
  minute,
  projectReading,
  projectsReading,
  startAt,
  wireEndpoint,
  wireOperation,
  wireProject,
} from '../support/reading-builder.ts';
import { withUse } from '../support/sample-usage.ts';
import { workerOptions } from './worker-options.ts';

/** A thread has to start, or to write, on a machine that does much else. */
const settled = { perMinute: 300, settledAt: startAt, pausedUntil: 0 };

function openFolder(): HistoryFolder {
  const folder = new HistoryFolder();
  onTestFinished(() => folder[Symbol.dispose]());
  return folder;
}

async function openClient(
  folder: HistoryFolder,
  budgets = new Map<string, RequestBudgetState>(),
): Promise<HistoryClient> {
  const client = await HistoryClient.start(workerOptions(folder), {
    readBudgets: () => budgets,
    onFailed: fail,
  });
  await client.opened;
  return client;
}

function fail(_work: string, error: Error): never {
  throw error;
}

async function readPage({ publication }: HistoryClient): Promise<string> {
  const { pieces } = await publication.read('text', true, '');
  return gunzipSync(await buffer(Readable.from(pieces))).toString();
}

test('others may read a history from before its page is made', async () => {
  const folder = openFolder();
  const client = await HistoryClient.start(workerOptions(folder), {
    readBudgets: () => new Map(),
    onFailed: fail,
  });
  onTestFinished(() => client.close());
  expect(client.ownerToken).toBeDefined();
  expect(client.publication.latest).toBeUndefined();
  await client.opened;
  expect(client.publication.latest).toBeDefined();
});

test('what was recorded is on the page soon after, and in the next run at once', async () => {
  const folder = openFolder();
  const first = await openClient(folder, new Map([['main', settled]]));
  expect(first.shown.hasData).toBe(false);
  await first.commit(projectsReading(startAt, [wireProject('p', { cpu_used_sec: 90 })]));
  await expect
    .poll(() => readPage(first), patience)
    .toContain('dbpm_project_cpu_used_seconds_total{account="main",project_id="p"} 90');
  await first.close();
  const second = await openClient(folder);
  onTestFinished(() => second.close());
  expect(second.shown.hasData).toBe(true);
  expect(second.shown.overviews.map(({ projects }) => projects)).toEqual([1]);
  expect(await readPage(second)).toContain(
    'dbpm_project_cpu_used_seconds_total{account="main",project_id="p"} 90',
  );
  expect(second.known('main').budget).toEqual(settled);
  expect(
    second.takeProjects('main').map(({ project, checkpoint }) => [project.project_id, checkpoint]),
  ).toEqual([['p', { project_id: 'p', busy: false, known: { openIds: [] } }]]);
  expect(second.takeProjects('main')).toEqual([]);
});

/** A channel whose calculations are shown. */
function showUsage(client: HistoryClient): (calculation: Calculation) => void {
  const { port1, port2 } = new MessageChannel();
  onTestFinished(() => port1.close());
  client.showUsage(port2);
  const { tell } = new Link<UsageDisplay>(port1);
  return calculation => tell.showUsage(calculation);
}

test('what is used and costs is on the page soon after it was handed over', async () => {
  const client = await openClient(openFolder());
  onTestFinished(() => client.close());
  const show = showUsage(client);
  show({ view: withUse({ currency: 'EUR', cost: 2.5 }), accruals: [] });
  await client.usageShown;
  expect(await readPage(client)).toContain('dbpm_account_period_cost{account="main",currency="EUR"} 2.5');
  show({ view: withUse({ currency: 'EUR', cost: 3 }), accruals: [] });
  await expect
    .poll(() => readPage(client), patience)
    .toContain('dbpm_account_period_cost{account="main",currency="EUR"} 3');
});

test('what is used and costs comes over the channel handed over last', async () => {
  const client = await openClient(openFolder());
  onTestFinished(() => client.close());
  const show = showUsage(client);
  show({ view: withUse({ currency: 'EUR', cost: 2.5 }), accruals: [] });
  await client.usageShown;
  const showNext = showUsage(client);
  showNext({ view: withUse({ currency: 'EUR', cost: 3 }), accruals: [] });
  await expect
    .poll(() => readPage(client), patience)
    .toContain('dbpm_account_period_cost{account="main",currency="EUR"} 3');
});

test('a reading of a project is answered with what the next one goes by', async () => {
  const folder = openFolder();
  const client = await openClient(folder);
  onTestFinished(() => client.close());
  const readings = [
    projectsReading(startAt, [wireProject('p')]),
    projectReading(startAt, 'p', {
      endpoints: [wireEndpoint('e', { current_state: 'idle' })],
      operations: [wireOperation('a', { status: 'running' })],
    }),
  ];
  expect(await Promise.all(readings.map(reading => client.commit(reading)))).toEqual([
    [{ project_id: 'p', busy: false, known: { openIds: [] } }],
    [{ project_id: 'p', busy: true, known: { headAt: startAt, openIds: ['a'] } }],
  ]);
});

test('budgets that are being written leave every reading its own answer', async () => {
  const folder = openFolder();
  const client = await openClient(folder, new Map([['main', settled]]));
  onTestFinished(() => client.close());
  client.saveBudgets();
  const first = client.commit(projectsReading(startAt, [wireProject('p')]));
  expect(await first).toEqual([{ project_id: 'p', busy: false, known: { openIds: [] } }]);
  const second = client.commit(projectReading(startAt, 'p', { endpoints: [wireEndpoint('e')] }));
  expect(await second).toMatchObject([{ project_id: 'p' }]);
});

test('no two answers to scrapes share memory that goes back when the first of them is done', async () => {
  const folder = openFolder();
  const client = await openClient(folder);
  onTestFinished(() => client.close());
  const early = client.publication.read('text', true, '');
  const { latest } = client.publication;
  if (latest !== undefined) client.publication.publish(latest);
  const late = client.publication.read('text', true, '');
  const [first, second] = await Promise.all([early, late]);
  expect(first.memory).not.toBe(second.memory);
});

test('a run that ends well leaves its budgets as they were at its end', async () => {
  const folder = openFolder();
  const budgets = new Map([['main', settled]]);
  const client = await openClient(folder, budgets);
  client.saveBudgets();
  const later = { ...settled, settledAt: startAt + minute };
  budgets.set('main', later);
  await client.close();
  const next = await openClient(folder);
  onTestFinished(() => next.close());
  expect(next.known('main').budget).toEqual(later);
});

test('a history that cannot be used is refused with what to do', async () => {
  const folder = openFolder();
  const history = folder.open();
  await expect(openClient(folder)).rejects.toMatchObject({
    name: 'HistoryInUse',
    message: expect.stringMatching(/another dbpm-exporter/),
  });
  folder.close(history);
});

test('a reading that cannot be written is refused with all that caused it', async () => {
  const folder = openFolder();
  const client = await openClient(folder);
  onTestFinished(() => client.close());
  const refusal = folder.refuseWrites('ABORT');
  await expect(client.commit(projectsReading(startAt, [wireProject('p')]))).rejects.toMatchObject({
    name: 'HistoryError',
    message: expect.stringMatching(/could not be written to .+: check the disk's space and rights$/),
    code: 'SQLITE_CONSTRAINT_TRIGGER',
    cause: { name: 'SqliteError', message: 'refused', code: 'SQLITE_CONSTRAINT_TRIGGER' },
  });
  refusal.end();
});

test('when the thread ends by itself, whoever waits for a reading to be written hears of it', async () => {
  const folder = openFolder();
  const client = await openClient(folder);
  const lost = client.commit(projectsReading(startAt, [], { account: 'nobody' }));
  await expect(lost).rejects.toThrow('the thread that keeps the history ended: start dbpm-exporter again');
  await expect(client.failed).rejects.toThrow('the thread that keeps the history ended');
  await client.close();
});

test('readings that are recorded while budgets are being saved are each answered with their own outcome', async () => {
  const client = await openClient(openFolder(), new Map([['main', settled]]));
  onTestFinished(() => client.close());
  client.saveBudgets();
  const listed = client.commit(
    projectsReading(
      startAt,
      ['p', 'q'].map(id => wireProject(id)),
    ),
  );
  const refreshed = ['p', 'q'].map(id =>
    client.commit(projectReading(startAt + minute, id, { endpoints: [], operations: [] })),
  );
  client.saveBudgets();
  expect((await listed).map(({ project_id }) => project_id)).toEqual(['p', 'q']);
  const checkpoints = await Promise.all(refreshed);
  expect(checkpoints.map(each => each.map(({ project_id }) => project_id))).toEqual([['p'], ['q']]);
});
