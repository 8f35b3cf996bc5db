import { writeFileSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import { MessageChannel } from 'node:worker_threads';
import * as v from 'valibot';
import { afterAll, expect, onTestFinished, test, vi } from 'vitest';
import { listProjects } from '../../../src/console/page/project-index/project-list.ts';
import { projectsQuery } from '../../../src/console/page/project-index/projects-answer.ts';
import { PageProblem } from '../../../src/console/page-problem.ts';
import { type ReportApi, ReportService } from '../../../src/console/report-cache/report-service.ts';
import type { ReportQuestion, ReportSet, SetQuestion } from '../../../src/console/report-cache/report-set.ts';
import { ReportThread } from '../../../src/console/report-cache/report-thread.ts';
import { HistoryError } from '../../../src/history/file/history-error.ts';
import { Link } from '../../../src/thread/link.ts';
import { HistoryFolder } from '../../support/history-folder.ts';
import { openConsole } from '../../support/open-console.ts';
import { startAt, wireProject } from '../../support/reading-builder.ts';
import { nothingWorkedOut } from '../../support/worked-out-usage.ts';

const folder = new HistoryFolder();
folder.openListed([wireProject('p1')]);
const shown = await openConsole({ file: folder.file, now: startAt });
afterAll(() => {
  shown.close();
  folder[Symbol.dispose]();
});

/** Gives a thread something that makes reports. @returns what ends that, as the end of its thread does. */
function use(thread: ReportThread, service: Partial<ReportApi>): () => void {
  const { port1, port2 } = new MessageChannel();
  onTestFinished(() => port1.close());
  new Link<object>(port2, () => service);
  thread.use(port1);
  return () => port2.close();
}

const serve = (thread: ReportThread, config = shown.config) =>
  use(thread, new ReportService(config, nothingWorkedOut));

/** The question of one report. */
const one = (kind: ReportQuestion['kind'], options: ReportQuestion['options']) => ({
  reports: [{ kind, options }],
});
const rowsOf = ({ reports }: ReportSet) => reports?.[0]?.rows;

function openThread(longestSilenceMs = 60_000) {
  const onHang = vi.fn();
  return { onHang, thread: new ReportThread({ onHang, longestSilenceMs }) };
}

/** Has a thread use what makes nothing, but notes what it was asked for and says that it begins with the first. */
function hang(thread: ReportThread) {
  const asked: SetQuestion[] = [];
  const end = use(thread, {
    set(question, _now, onSign) {
      asked.push(question);
      if (asked.length === 1) onSign();
      return new Promise(() => {});
    },
  });
  return { asked, end };
}

test('reports and the list of projects are made one after another, in the order in which they were asked for', async () => {
  const { thread } = openThread();
  serve(thread);
  const done: string[] = [];
  const note = (what: string) => () => done.push(what);
  const usage = thread.make(one('usage', { by: 'project' }), startAt);
  const projects = thread.projects(startAt, true);
  const findings = thread.make(one('findings', {}), startAt);
  const single = thread.make(one('usage', { project: 'main/p1' }), startAt);
  await Promise.all([
    findings.then(note('findings')),
    single.then(note('single')),
    usage.then(note('usage')),
    projects.then(note('projects')),
  ]);
  expect(done).toEqual(['usage', 'projects', 'findings', 'single']);
  expect(rowsOf(await usage)).toEqual((await shown.report('usage', { by: 'project' })).rows);
  const { table, pending } = await projects;
  const asked = v.parse(projectsQuery, {});
  expect(listProjects(table, asked, []).projects).toMatchObject([
    { project_id: 'p1', compute_hours: '0.00' },
  ]);
  expect(pending).toEqual([]);
  await expect(thread.make(one('usage', { account: 'other' }), startAt)).rejects.toThrow(PageProblem);
  expect(rowsOf(await thread.make(one('findings', {}), startAt))).toEqual([]);
});

test('of a history that cannot be read no report is made, which is said at once', async () => {
  const { thread } = openThread();
  const file = `${folder.path}/broken.sqlite`;
  writeFileSync(file, 'no history'.repeat(1000));
  serve(thread, { ...shown.config, history: { ...shown.config.history, file } });
  await expect(thread.make(one('usage', { by: 'account' }), startAt)).rejects.toThrow(HistoryError);
});

test('questions that nobody waits for any more are not worked out, and hold up nobody', async () => {
  const { thread } = openThread();
  const service = new ReportService(shown.config, nothingWorkedOut);
  const make = vi.spyOn(service, 'set');
  const gone = new AbortController();
  const begun = thread.make(one('usage', {}), startAt);
  const abandoned = Array.from({ length: 240 }, () =>
    thread.make(one('usage', { by: 'account' }), startAt, gone.signal),
  );
  const settled = Promise.allSettled(abandoned);
  gone.abort();
  const asked = thread.make(one('findings', {}), startAt);
  use(thread, service);
  await Promise.all([begun, asked]);
  expect(new Set((await settled).map(({ status }) => status))).toEqual(new Set(['rejected']));
  expect(make).toHaveBeenCalledTimes(2);
});

test('a report that is begun is made to its end, though its reader has gone', async () => {
  const { thread } = openThread();
  const made = Promise.withResolvers<ReportSet>();
  use(thread, {
    set(_question, _now, onSign) {
      onSign();
      return made.promise;
    },
    projects: () => Promise.reject(new Error('not here')),
  });
  const gone = new AbortController();
  const begun = thread.make(one('usage', { by: 'account' }), startAt, gone.signal);
  // Its answer comes after the sign.
  await expect(thread.projects(startAt, false)).rejects.toThrow('not here');
  gone.abort();
  const set = { at: startAt, accounts: [] };
  made.resolve(set);
  expect(await begun).toEqual(set);
});

test('two hundred and thirty-eight readers wait for reports of their own, and as many as connections at most', async () => {
  const { thread } = openThread();
  const refused = vi.fn();
  for (let count = 1; count <= 513; count += 1) {
    thread.make(one('usage', { by: 'account' }), startAt).catch(refused);
    await setImmediate();
    if (count === 238 || count === 512) expect(refused).not.toHaveBeenCalled();
  }
  expect(refused).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ status: 503 }));
});

test('a report that no thread was asked for is made by the first that can be', async () => {
  const { thread } = openThread();
  const usage = thread.make(one('usage', { by: 'account' }), startAt);
  serve(thread);
  expect(rowsOf(await usage)).toEqual((await shown.report('usage', { by: 'account' })).rows);
});

test('a report that a thread ended before it began with it is made by the next one, once', async () => {
  const { thread } = openThread();
  const asked = Promise.withResolvers<void>();
  const end = use(thread, {
    set() {
      asked.resolve();
      return new Promise(() => {});
    },
  });
  const usage = thread.make(one('usage', { by: 'account' }), startAt);
  await asked.promise;
  end();
  const service = new ReportService(shown.config, nothingWorkedOut);
  const make = vi.spyOn(service, 'set');
  use(thread, service);
  expect(rowsOf(await usage)).toEqual((await shown.report('usage', { by: 'account' })).rows);
  expect(make).toHaveBeenCalledOnce();
});

test('a report that a thread ended of is not made again, and the others are', async () => {
  const { onHang, thread } = openThread();
  const { asked, end } = hang(thread);
  const usage = thread.make(one('usage', { by: 'account' }), startAt);
  const findings = thread.make(one('findings', {}), startAt);
  await vi.waitFor(() => expect(asked).toHaveLength(2), 30_000);
  const failed = expect(usage).rejects.toThrow('the thread that makes reports ended');
  end();
  await failed;
  serve(thread);
  expect(rowsOf(await findings)).toEqual([]);
  expect(onHang).not.toHaveBeenCalled();
});

test('a thread that follows one that is still ending makes what is not begun', async () => {
  const { thread } = openThread();
  const { asked } = hang(thread);
  const usage = thread.make(one('usage', { by: 'account' }), startAt);
  const findings = thread.make(one('findings', {}), startAt);
  await vi.waitFor(() => expect(asked).toHaveLength(2), 30_000);
  const failed = expect(usage).rejects.toThrow('the thread that makes reports ended');
  serve(thread);
  await failed;
  expect(rowsOf(await findings)).toEqual([]);
});

test('a report that hangs is given up, which is told', async () => {
  const { onHang, thread } = openThread(1);
  hang(thread);
  const usage = thread.make(one('usage', { by: 'account' }), startAt);
  await expect(usage).rejects.toMatchObject({
    status: 503,
    title: 'This takes too long',
    possible: [expect.stringContaining('single project'), expect.stringContaining('dbpm-exporter report')],
  });
  expect(onHang).toHaveBeenCalledOnce();
});

test('a report that takes long is waited for as long as it gives signs of work', async () => {
  const hour = 3_600_000;
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const begun = vi.spyOn(globalThis, 'setTimeout');
  onTestFinished(() => begun.mockRestore());
  const waits = () => begun.mock.calls.filter(([, ms]) => ms === hour).length;
  const { onHang, thread } = openThread(hour);
  const ordered = Promise.withResolvers<() => void>();
  use(thread, {
    set(_question, _now, onSign) {
      ordered.resolve(onSign);
      return new Promise(() => {});
    },
  });
  const usage = thread.make(one('usage', { by: 'account' }), startAt);
  const sign = await ordered.promise;
  for (const signs of [1, 2, 3]) {
    sign();
    while (waits() < signs) await setImmediate();
    await vi.advanceTimersByTimeAsync(hour - 1);
  }
  expect(onHang).not.toHaveBeenCalled();
  const failed = expect(usage).rejects.toMatchObject({ status: 503 });
  await vi.advanceTimersByTimeAsync(1);
  await failed;
  expect(onHang).toHaveBeenCalledOnce();
});

test.each([
  { secondsBetween: 1, signs: 2 },
  { secondsBetween: 0, signs: 1 },
])('a report tells that work goes on, once a second at most', async ({ secondsBetween, signs }) => {
  let now = 0;
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => (now += secondsBetween * 1000));
  onTestFinished(() => clock.mockRestore());
  const service = new ReportService(shown.config, nothingWorkedOut);
  const onSign = vi.fn();
  const { signal } = new AbortController();
  await service.set(one('usage', { by: 'project' }), startAt, () => {}, signal);
  await service.set(one('usage', { by: 'project' }), startAt, onSign, signal);
  expect(onSign).toHaveBeenCalledTimes(signs);
});
