import { expect, test } from 'vitest';
import { MarkFold } from '../../../src/console/page/project/mark-fold.ts';
import { stepsFrom } from '../../../src/console/page/project/project-range.ts';
import { HistoryFolder } from '../../support/history-folder.ts';
import { openConsole } from '../../support/open-console.ts';
import {
  day,
  instant,
  minute,
  projectReading,
  projectsReading,
  wireEndpoint,
  wireOperation,
  wireProject,
} from '../../support/reading-builder.ts';

const hour = 60 * minute;
const now = Date.UTC(2026, 9, 7);
const range = '?range=24h';

interface Ended {
  readonly action: string;
  readonly at: number;
  readonly endpoint_id?: string | null;
  readonly status?: string;
}

function ended({ action, at, endpoint_id = 'ep-1', status = 'finished' }: Ended) {
  return wireOperation(`${action} ${endpoint_id} ${at}`, {
    ...{ action, endpoint_id, status },
    ...{ created_at: instant(at - 2000), updated_at: instant(at) },
  });
}

/** The console over a project whose endpoints are read with these operations, each reading after the one before it. */
async function openWith(readings: readonly { readonly at: number; readonly operations: readonly Ended[] }[]) {
  const folder = new HistoryFolder();
  const history = folder.open();
  history.commitOne(projectsReading(now - 366 * day, [wireProject('p1')]));
  for (const { at, operations } of readings) {
    const ids = new Set(operations.flatMap(({ endpoint_id = 'ep-1' }) => endpoint_id ?? []));
    const endpoints = [...ids].map(id =>
      wireEndpoint(id, { current_state: 'idle', created_at: instant(now - 366 * day) }),
    );
    history.commitOne(projectReading(at, 'p1', { endpoints, operations: operations.map(ended) }));
  }
  history.commitOne(projectsReading(now, [wireProject('p1')]));
  folder.close(history);
  const shown = await openConsole({ file: folder.file, now });
  return {
    shown,
    [Symbol.dispose]() {
      shown.close();
      folder[Symbol.dispose]();
    },
  };
}

/** Starts and suspends in turn, every so often. */
function wakes(endpoint_id: string, fromAt: number, everyMs: number, count: number): Ended[] {
  return Array.from({ length: count }, (_, index) => [
    { action: 'start_compute', at: fromAt + index * everyMs, endpoint_id },
    { action: 'suspend_compute', at: fromAt + index * everyMs + everyMs / 2, endpoint_id },
  ]).flat();
}

test('operations that are too close to be told apart are one mark that says how many', async () => {
  const operations = wakes('ep-1', now - 23 * hour, minute, 1200);
  using opened = await openWith([{ at: now - minute, operations }]);
  const { timeline } = await opened.shown.json(`/projects/main/p1${range}`);
  const starts = timeline.endpoints[0].marks.filter(({ kind }: { kind: string }) => kind === 'start');
  expect(starts.length).toBeLessThanOrEqual(120);
  expect(starts.reduce((sum: number, { count }: { count: number }) => sum + count, 0)).toBe(1200);
  const { text } = await opened.shown.get(`/projects/main/p1${range}`);
  expect(text).toMatch(/Tue 6 Oct, 02:15 to 02:30 <\/span><span><b>awake \d\d%, 15 starts, 15 suspends<\/b>/);
  expect(text).not.toMatch(/[>,] ?(starts|suspends)\b/);
  const said = [...text.matchAll(/<b>awake[^<]*?(\d+) starts?, /g)].map(([, count]) => Number(count));
  expect(said.reduce((sum, count) => sum + count, 0)).toBe(1200);
});

test('other operations and failures have marks of their own, and are counted in a table', async () => {
  const operations = [
    { action: 'start_compute', at: now - 5 * hour },
    { action: 'apply_config', at: now - 4 * hour },
    { action: 'check_availability', at: now - 3 * hour },
    { action: 'start_compute', at: now - 2 * hour, status: 'failed' },
  ];
  using opened = await openWith([{ at: now - minute, operations }]);
  const { timeline } = await opened.shown.json(`/projects/main/p1${range}`);
  const at = (hours: number) => ({
    from: instant(now - hours * hour),
    until: instant(now - hours * hour),
    count: 1,
  });
  expect(timeline.endpoints[0].marks).toEqual([
    { kind: 'start', ...at(5), actions: ['start_compute'] },
    { kind: 'other', ...at(4), actions: ['apply_config'] },
    { kind: 'other', ...at(3), actions: ['check_availability'] },
    { kind: 'failed', ...at(2), actions: ['start_compute'] },
  ]);
  expect(timeline.operations[0]).toEqual({
    ...{ endpoint_id: 'ep-1', action: 'start_compute', count: 2, failed: 1 },
    ...{ first: instant(now - 5 * hour), last: instant(now - 2 * hour) },
  });
  const { text } = await opened.shown.get(`/projects/main/p1${range}`);
  expect(text).toContain('Tue 6 Oct, 20:00 to 20:15 </span><span><b>awake, 1 other operation</b>');
  expect(text).toContain('Tue 6 Oct, 22:00 to 22:15 </span><span><b>awake, 1 failed operation</b>');
  expect(text).toMatch(/aria-label="States of the endpoints: ep-1 [^"]* · 1 failed operation"/);
  expect(text.match(/class="fw"/g)).toHaveLength(2);
});

test('an endpoint that never changed its state is said to be awake or asleep all of the time', async () => {
  using folder = new HistoryFolder();
  const history = folder.open();
  history.commitOne(projectsReading(now - 3 * day, [wireProject('p1')]));
  const endpoints = ['active', 'idle'].map(current_state =>
    wireEndpoint(`ep-${current_state}`, { current_state, created_at: instant(now - 366 * day) }),
  );
  history.commitOne(projectReading(now - 2 * day, 'p1', { endpoints, operations: [] }));
  history.commitOne(projectReading(now - minute, 'p1', { endpoints, operations: [] }));
  history.commitOne(projectsReading(now, [wireProject('p1')]));
  folder.close(history);
  const shown = await openConsole({ file: folder.file, now });
  const { text } = await shown.get(`/projects/main/p1${range}`);
  shown.close();
  expect([...text.matchAll(/<p class="words[^"]*"><span>([^<]*)</g)].map(([, words]) => words)).toEqual([
    ...['awake all of the time', 'asleep all of the time'],
  ]);
  expect(text).toContain(
    '<b title="ep-active">ep-active</b><span class="s">awake all of the time · 0 starts<',
  );
  expect([...text.matchAll(/<i class="dot[^"]*"><\/i>(\w+)</g)].map(([, state]) => state)).toEqual([
    ...['main', 'awake', 'awake', 'asleep'],
  ]);
});

test('only the stretch that operations tell is said to be reconstructed', async () => {
  const [wokenAt, seenAt] = [now - 3 * hour, now - 2 * hour];
  using folder = new HistoryFolder();
  const history = folder.open();
  history.commitOne(projectsReading(now - 366 * day, [wireProject('p1')]));
  const seen = (endpoint_id: string, at: number, operations: readonly Ended[] = []) => {
    const endpoints = [wireEndpoint(endpoint_id, { current_state: 'idle', created_at: instant(at) })];
    history.commitOne(projectReading(at, 'p1', { endpoints, operations: operations.map(ended) }));
  };
  seen('ep-1', now - 4 * hour);
  const readReconstructed = async () => {
    const shown = await openConsole({ file: folder.file, now });
    const { timeline } = await shown.json(`/projects/main/p1${range}`);
    shown.close();
    return timeline.reconstructed;
  };
  expect(await readReconstructed()).toBeNull();
  seen('ep-1', seenAt, [{ action: 'start_compute', at: wokenAt, endpoint_id: 'ep-2' }]);
  seen('ep-2', seenAt);
  expect(await readReconstructed()).toEqual({ from: instant(wokenAt), until: instant(seenAt) });
});

test('operations without a lane are drawn in one of their own, also where there is no other', async () => {
  const failed = { action: 'create_branch', endpoint_id: null, status: 'failed' };
  const operations = [1, 2].map(hours => ({ ...failed, at: now - hours * hour }));
  using opened = await openWith([{ at: now - minute, operations }]);
  const { timeline } = await opened.shown.json(`/projects/main/p1${range}`);
  expect(timeline.endpoints).toEqual([]);
  expect(timeline.other_marks).toHaveLength(2);
  const { text } = await opened.shown.get(`/projects/main/p1${range}`);
  expect(text).toContain('operations of no endpoint above: 2 failed operations"');
  expect(text).toContain('Tue 6 Oct, 22:00 to 22:15 </span><span><b>1 failed operation</b>');
  expect(text).toContain('<caption>Operations that failed in this time, the newest first</caption>');
});

test('an operation that is stuck now is drawn from when it began, and not in a time before that', async () => {
  const operations = [{ action: 'start_compute', at: now - 20 * hour }];
  const stuck = { action: 'apply_config', at: now - 3 * hour, status: 'running' };
  using opened = await openWith([{ at: now - minute, operations: [...operations, stuck] }]);
  const drawn = async (fromAt: number, untilAt: number) => {
    const asked = `?from=${instant(fromAt)}&until=${instant(untilAt)}`;
    return (await opened.shown.get(`/projects/main/p1${asked}`)).text.includes('apply_config stuck</text>');
  };
  expect(await drawn(now - 24 * hour, now - 12 * hour)).toBe(false);
  expect(await drawn(now - 12 * hour, now)).toBe(true);
});

test('zooming in keeps the end of a range that ends now, and else its middle', () => {
  const range = { fromAt: now - 24 * hour, untilAt: now };
  expect(stepsFrom(range, now).in).toEqual({ fromAt: now - 12 * hour, untilAt: now });
  expect(stepsFrom(range, now + 5 * minute).in).toEqual({ fromAt: now - 12 * hour, untilAt: now });
  expect(stepsFrom(range, now + 12 * hour).in).toEqual({
    fromAt: now - 18 * hour,
    untilAt: now - 6 * hour,
  });
});

test('what failed in 30 days comes first, and leads to its page', async () => {
  const failed = { action: 'start_compute', at: now - 9 * day, status: 'failed' };
  const operations = [failed, { action: 'suspend_compute', at: now - 2 * hour }];
  using opened = await openWith([{ at: now - minute, operations }]);
  const { failed_operations } = await opened.shown.json(`/projects/main/p1${range}`);
  const [first] = failed_operations;
  expect(failed_operations).toMatchObject([{ action: 'start_compute', outcome: 'failed' }]);
  const { text } = await opened.shown.get(`/projects/main/p1${range}`);
  const [, rows = ''] = /id="operations">.*?<tbody>(.*?)<\/tbody>/s.exec(text) ?? [];
  const hrefs = [...rows.matchAll(/href="(\/operations\/[^"]*)"/g)].map(([, href]) => href);
  expect(hrefs[0]).toBe(`/operations/main/p1/${encodeURIComponent(first.operation_id)}`);
  expect(hrefs).toHaveLength(2);
});

test('failures beyond those of the table are said', async () => {
  const operations = Array.from({ length: 70 }, (_, index) => ({
    ...{ action: 'apply_config', status: 'failed', at: now - (index + 2) * minute },
  }));
  using opened = await openWith([{ at: now - minute, operations }]);
  const { text } = await opened.shown.get(`/projects/main/p1${range}`);
  expect(text).toContain('70 operations failed.');
  expect(text).toContain('10 older ones are left out: zoom in to see each.');
});

test('a year of a dozen busy endpoints is a page of at most 150 kB', async () => {
  const ids = Array.from({ length: 13 }, (_, index) => `ep-busy-endpoint-${index}`);
  const readings = Array.from({ length: 36 }, (_, index) => {
    const at = now - (360 - 10 * index) * day;
    return { at: at + 10 * day - minute, operations: ids.flatMap(id => wakes(id, at, 9 * hour, 26)) };
  });
  using opened = await openWith(readings);
  const { text } = await opened.shown.get('/projects/main/p1?range=1y');
  expect(text).toMatch(/awake \d+%, \d+ starts/);
  expect(text).not.toMatch(/[>,] ?(starts|suspends)\b/);
  expect(text.length).toBeLessThan(150_000);
});

test('marks are folded into parts of the axis only where they are too many', () => {
  const fold = new MarkFold({ fromAt: 0, untilAt: 600 }, 600, 4);
  for (let at = 0; at < 600; at += 10) fold.add('start', at, 'start_compute');
  fold.add('suspend', 599, 'suspend_compute');
  expect(fold.marks(60)).toHaveLength(61);
  expect(fold.marks(2)).toEqual([
    { kind: 'start', fromAt: 0, untilAt: 290, count: 30, actions: ['start_compute'] },
    { kind: 'start', fromAt: 300, untilAt: 590, count: 30, actions: ['start_compute'] },
    { kind: 'suspend', fromAt: 599, untilAt: 599, count: 1, actions: ['suspend_compute'] },
  ]);
  expect(fold.counts).toEqual({
    ...{ start: [15, 15, 15, 15], suspend: [0, 0, 0, 1] },
    ...{ other: [0, 0, 0, 0], failed: [0, 0, 0, 0] },
  });
});
