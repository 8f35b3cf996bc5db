import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import { BroadcastChannel } from 'node:worker_threads';
import * as v from 'valibot';
import { afterAll, expect, onTestFinished, test, vi } from 'vitest';
import type { DeskMessage, DeskOrder } from '../../../src/console/desk/report-order.ts';
import { ReportService } from '../../../src/console/desk/report-service.ts';
import type { ReportQuestion, ReportSet } from '../../../src/console/desk/report-set.ts';
import { ReportThread } from '../../../src/console/desk/report-thread.ts';
import { fleetQuery } from '../../../src/console/page/fleet/fleet-query.ts';
import { listProjects } from '../../../src/console/page/fleet/project-list.ts';
import { PageProblem } from '../../../src/console/page-problem.ts';
import { HistoryError } from '../../../src/history/file/history-error.ts';
import { HistoryFolder } from '../../support/history-folder.ts';
import { openConsole } from '../../support/open-console.ts';
import { startAt, wireProject } from '../../support/reading-builder.ts';

const folder = new HistoryFolder();
folder.openListed([wireProject('p1')]);
const shown = await openConsole({ file: folder.file, now: startAt });
afterAll(() => {
  shown.close();
  folder[Symbol.dispose]();
});

const serve = (channel: string, config = shown.config) =>
  new ReportService({ channel, config }, () => undefined);

/** The question of one report. */
const one = (kind: ReportQuestion['kind'], options: ReportQuestion['options']) => ({
  reports: [{ kind, options }],
});
const rowsOf = ({ reports }: ReportSet) => reports?.[0]?.rows;

function openThread(longestSilenceMs = 60_000) {
  const channel = randomUUID();
  const onHang = vi.fn();
  return { channel, onHang, thread: new ReportThread({ channel, onHang, longestSilenceMs }) };
}

/** A thread that makes nothing, but notes what it was ordered and says that it begins with it. */
function hang(channel: string): readonly DeskOrder[] {
  const orders: DeskOrder[] = [];
  const heard = new BroadcastChannel(channel);
  onTestFinished(() => heard.close());
  heard.onmessage = event => {
    const message = (event as { readonly data: DeskMessage }).data;
    if (!('what' in message)) return;
    orders.push(message);
    heard.postMessage({ id: message.id, taken: true } satisfies DeskMessage);
  };
  return orders;
}

test('reports and the list of projects are made one after another, in the order in which they were asked for', async () => {
  const { channel, thread } = openThread();
  serve(channel);
  const done: string[] = [];
  const note = (what: string) => () => done.push(what);
  const usage = thread.make(one('usage', { by: 'project' }), startAt);
  const projects = thread.projects({ now: startAt, withFigures: true });
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
  const asked = v.parse(fleetQuery, {});
  expect(listProjects(table, asked, []).rows).toMatchObject([{ project_id: 'p1', compute_hours: '0.00' }]);
  expect(pending).toEqual([]);
  await expect(thread.make(one('usage', { account: 'other' }), startAt)).rejects.toThrow(PageProblem);
  expect(rowsOf(await thread.make(one('findings', {}), startAt))).toEqual([]);
});

test('of a history that cannot be read no report is made, which is said at once', async () => {
  const { channel, thread } = openThread();
  const file = `${folder.path}/broken.sqlite`;
  writeFileSync(file, 'no history'.repeat(1000));
  serve(channel, { ...shown.config, history: { ...shown.config.history, file } });
  await expect(thread.make(one('usage', { by: 'account' }), startAt)).rejects.toThrow(HistoryError);
});

test('questions that nobody waits for any more are not worked out, and hold up nobody', async () => {
  const { channel, thread } = openThread();
  const made = vi.fn();
  const heard = new BroadcastChannel(channel);
  onTestFinished(() => heard.close());
  heard.onmessage = event => 'made' in (event as { readonly data: DeskMessage }).data && made();
  const gone = new AbortController();
  const begun = thread.make(one('usage', {}), startAt);
  const abandoned = Array.from({ length: 240 }, () =>
    thread.make(one('usage', { by: 'account' }), startAt, gone.signal),
  );
  const settled = Promise.allSettled(abandoned);
  gone.abort();
  const asked = thread.make(one('findings', {}), startAt);
  serve(channel);
  await Promise.all([begun, asked]);
  expect(new Set((await settled).map(({ status }) => status))).toEqual(new Set(['rejected']));
  await vi.waitFor(() => expect(made).toHaveBeenCalledTimes(2), 30_000);
});

test('a report that is begun is made to its end, though nobody waits for it', async () => {
  const { channel, thread } = openThread();
  serve(channel);
  const gone = new AbortController();
  const begun = thread.make(one('usage', { by: 'account' }), startAt, gone.signal);
  gone.abort();
  expect((await begun).reports?.[0]?.rows).toEqual((await shown.report('usage', { by: 'account' })).rows);
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

test('an order that no thread has heard is given to the next one', async () => {
  const { channel, thread } = openThread();
  const usage = thread.make(one('usage', { by: 'account' }), startAt);
  serve(channel);
  expect(rowsOf(await usage)).toEqual((await shown.report('usage', { by: 'account' })).rows);
});

test('an order that comes while a thread begins is given again, and made once', async () => {
  const { channel, thread } = openThread();
  const said: DeskMessage[] = [];
  const heard = new BroadcastChannel(channel);
  onTestFinished(() => heard.close());
  heard.onmessage = event => said.push((event as { readonly data: DeskMessage }).data);
  serve(channel);
  const orders = [
    thread.make(one('usage', { by: 'account' }), startAt),
    thread.make(one('findings', {}), startAt),
  ];
  await Promise.all(orders);
  await thread.make(one('keys', {}), startAt);
  const made = () => said.flatMap(each => ('made' in each ? each.id : []));
  await vi.waitFor(() => expect(new Set(made()).size).toBe(3), 30_000);
  expect([said.filter(each => 'what' in each).length, made().length]).toEqual([4, 3]);
});

test('a report that a thread ended of is not made again, and the others are', async () => {
  const { channel, onHang, thread } = openThread();
  const orders = hang(channel);
  const usage = thread.make(one('usage', { by: 'account' }), startAt);
  const findings = thread.make(one('findings', {}), startAt);
  await vi.waitFor(() => expect(orders).toHaveLength(1), 30_000);
  const failed = expect(usage).rejects.toThrow('the thread that makes reports ended');
  serve(channel);
  await failed;
  expect(rowsOf(await findings)).toEqual([]);
  expect(onHang).not.toHaveBeenCalled();
});

test('a report that hangs is given up, which is told', async () => {
  const { channel, onHang, thread } = openThread(1);
  hang(channel);
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
  const { channel, onHang, thread } = openThread(hour);
  const maker = new BroadcastChannel(channel);
  onTestFinished(() => maker.close());
  const ordered = Promise.withResolvers<string>();
  maker.onmessage = event => ordered.resolve((event as { readonly data: DeskOrder }).data.id);
  const usage = thread.make(one('usage', { by: 'account' }), startAt);
  const id = await ordered.promise;
  for (const signs of [1, 2, 3]) {
    maker.postMessage({ id, taken: true } satisfies DeskMessage);
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
  const { channel, thread } = openThread();
  serve(channel);
  await thread.make(one('usage', { by: 'project' }), startAt);
  const said: DeskMessage[] = [];
  const heard = new BroadcastChannel(channel);
  onTestFinished(() => heard.close());
  heard.onmessage = event => said.push((event as { readonly data: DeskMessage }).data);
  await thread.make(one('usage', { by: 'project' }), startAt);
  const ofOrder = () =>
    said.filter(each => 'id' in each && each.id === said.find(first => 'what' in first)?.id);
  await vi.waitFor(() => expect(ofOrder().some(each => 'made' in each)).toBe(true), 30_000);
  expect(ofOrder().filter(each => 'taken' in each)).toHaveLength(signs);
});
