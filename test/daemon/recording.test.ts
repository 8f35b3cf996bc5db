import { gunzipSync } from 'node:zlib';
import { expect, onTestFinished, test } from 'vitest';
import { HistoryClient } from '../../src/daemon/history-client.ts';
import { collectors } from '../../src/resources/collector.ts';
import type { RequestBudgetState } from '../../src/resources/request-budget-state.ts';
import { HistoryFolder } from '../support/history-folder.ts';
import {
  day,
  minute,
  projectReading,
  projectsReading,
  startAt,
  wireEndpoint,
  wireOperation,
  wireProject,
} from '../support/reading-builder.ts';
import { withUse } from '../support/sample-usage.ts';

const settled = { perMinute: 300, settledAt: startAt, pausedUntil: 0 };

function openFolder(): HistoryFolder {
  const folder = new HistoryFolder();
  onTestFinished(() => folder[Symbol.dispose]());
  return folder;
}

function openRecording(
  folder: HistoryFolder,
  budgets = new Map<string, RequestBudgetState>(),
): Promise<HistoryClient> {
  return HistoryClient.open(
    {
      file: folder.file,
      accounts: ['main'],
      collectors,
      selection: { mode: 'full', exclude: [], collectors },
      staleAfterMs: 45 * day,
      dropAfterMs: 10 * minute,
    },
    { readBudgets: () => budgets, onUnpublished: fail, onUpkeepFailed: fail },
  );
}

function fail(error: unknown): never {
  throw error;
}

async function readPage({ publication }: HistoryClient): Promise<string> {
  const { pieces } = await publication.read('text', true, '');
  return gunzipSync(Buffer.concat(pieces)).toString();
}

test('what was recorded is on the page soon after, and in the next run at once', async () => {
  const folder = openFolder();
  const first = await openRecording(folder, new Map([['main', settled]]));
  expect(first.hasData).toBe(false);
  await first.record(projectsReading(startAt, [wireProject('p', { cpu_used_sec: 90 })]));
  await expect
    .poll(() => readPage(first))
    .toContain('dbpm_project_cpu_used_seconds_total{account="main",project_id="p"} 90');
  await first.close();
  const second = await openRecording(folder);
  onTestFinished(() => second.close());
  expect(second.hasData).toBe(true);
  expect(second.overviews.map(({ projects }) => projects)).toEqual([1]);
  expect(await readPage(second)).toContain(
    'dbpm_project_cpu_used_seconds_total{account="main",project_id="p"} 90',
  );
  expect(second.knownBudget('main')).toEqual(settled);
  expect(
    second.takeProjects('main').map(({ project, checkpoint }) => [project.project_id, checkpoint]),
  ).toEqual([['p', { project_id: 'p', busy: false, known: { openIds: [] } }]]);
  expect(second.takeProjects('main')).toEqual([]);
});

test('what is used and costs is on the page soon after it was handed over', async () => {
  const recording = await openRecording(openFolder());
  onTestFinished(() => recording.close());
  recording.showUsage(withUse({ currency: 'EUR', cost: 2.5 }));
  await expect
    .poll(() => readPage(recording))
    .toContain('dbpm_account_period_cost{account="main",currency="EUR"} 2.5');
  recording.showUsage(withUse({ currency: 'EUR', cost: 3 }));
  await expect
    .poll(() => readPage(recording))
    .toContain('dbpm_account_period_cost{account="main",currency="EUR"} 3');
});

test('a reading of a project is answered with what the next one goes by', async () => {
  const folder = openFolder();
  const recording = await openRecording(folder);
  onTestFinished(() => recording.close());
  const readings = [
    projectsReading(startAt, [wireProject('p')]),
    projectReading(startAt, 'p', {
      endpoints: [wireEndpoint('e', { current_state: 'idle' })],
      operations: [wireOperation('a', { status: 'running' })],
    }),
  ];
  expect(await Promise.all(readings.map(reading => recording.record(reading)))).toEqual([
    [{ project_id: 'p', busy: false, known: { openIds: [] } }],
    [{ project_id: 'p', busy: true, known: { headAt: startAt, openIds: ['a'] } }],
  ]);
});

test('budgets that are being written leave every reading its own answer', async () => {
  const folder = openFolder();
  const recording = await openRecording(folder, new Map([['main', settled]]));
  onTestFinished(() => recording.close());
  recording.saveBudgets();
  const first = recording.record(projectsReading(startAt, [wireProject('p')]));
  expect(await first).toEqual([{ project_id: 'p', busy: false, known: { openIds: [] } }]);
  const second = recording.record(projectReading(startAt, 'p', { endpoints: [wireEndpoint('e')] }));
  expect(await second).toMatchObject([{ project_id: 'p' }]);
});

test('no two answers to scrapes share memory that goes back when the first of them is done', async () => {
  const folder = openFolder();
  const recording = await openRecording(folder);
  onTestFinished(() => recording.close());
  const early = recording.publication.read('text', true, '');
  const { snapshot } = recording.publication;
  if (snapshot !== undefined) recording.publication.publish(snapshot);
  const late = recording.publication.read('text', true, '');
  const [first, second] = await Promise.all([early, late]);
  expect(first.pieces[0]?.buffer).not.toBe(second.pieces[0]?.buffer);
});

test('a run that ends well leaves its budgets as they were at its end', async () => {
  const folder = openFolder();
  const budgets = new Map([['main', settled]]);
  const recording = await openRecording(folder, budgets);
  recording.saveBudgets();
  const later = { ...settled, settledAt: startAt + minute };
  budgets.set('main', later);
  await recording.close();
  const next = await openRecording(folder);
  onTestFinished(() => next.close());
  expect(next.knownBudget('main')).toEqual(later);
});

test('a history that cannot be used is refused with what to do', async () => {
  const folder = openFolder();
  const history = folder.open();
  await expect(openRecording(folder)).rejects.toMatchObject({
    name: 'HistoryError',
    message: expect.stringMatching(/another dbpm-exporter/),
  });
  folder.close(history);
});

test('when the thread ends by itself, whoever waits for a reading to be written hears of it', async () => {
  const folder = openFolder();
  const recording = await openRecording(folder);
  const lost = recording.record(projectsReading(startAt, [], { account: 'nobody' }));
  await expect(lost).rejects.toThrow('the thread that keeps the history ended: start dbpm-exporter again');
  await expect(recording.failed).rejects.toThrow('the thread that keeps the history ended');
  await recording.close();
});

test('readings that are recorded while budgets are being saved are each answered with their own outcome', async () => {
  const recording = await openRecording(openFolder(), new Map([['main', settled]]));
  onTestFinished(() => recording.close());
  recording.saveBudgets();
  const listed = recording.record(
    projectsReading(
      startAt,
      ['p', 'q'].map(id => wireProject(id)),
    ),
  );
  const refreshed = ['p', 'q'].map(id =>
    recording.record(projectReading(startAt + minute, id, { endpoints: [], operations: [] })),
  );
  recording.saveBudgets();
  expect((await listed).map(({ project_id }) => project_id)).toEqual(['p', 'q']);
  const checkpoints = await Promise.all(refreshed);
  expect(checkpoints.map(each => each.map(({ project_id }) => project_id))).toEqual([['p'], ['q']]);
});
