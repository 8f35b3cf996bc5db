import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { runCommandLine } from '../../../../src/cli/command-line.ts';
import { exportCommand } from '../../../../src/cli/export.ts';
import { makeFakeIo } from '../../../cli/fake-io.ts';
import { readTimedSamples } from '../../../support/backfill-export.ts';
import { HistoryFolder } from '../../../support/history-folder.ts';
import {
  failedReading,
  minute,
  projectsReading,
  startAt,
  wireProject,
} from '../../../support/reading-builder.ts';
import { type Answer, nameSeries, startWriteReceiver, taken } from '../../../support/write-receiver.ts';

const second = 1000;
/** A stretch has 5000 instants at most: with a step of a second this is three. */
const untilAt = startAt + 180 * minute;
const created = ['--metric', 'dbpm_project_created_timestamp_seconds'];
const everySecond = [...created, '--step', '1s'];

let receiver: Awaited<ReturnType<typeof startWriteReceiver>>;
let folder: HistoryFolder;
beforeAll(async () => {
  receiver = await startWriteReceiver();
  folder = new HistoryFolder();
  const history = folder.open({ dropAfterMs: 0 });
  const [living, shortLived, other] = ['p', 'q', 'r'].map(id =>
    wireProject(id, { created_at: '2026-11-21T10:00:00Z' }),
  );
  history.commitOne(projectsReading(startAt, [living, shortLived, other]));
  history.commitOne(projectsReading(startAt + 20 * minute, [living, other]));
  history.commitOne(projectsReading(startAt + 5000 * second, [living]));
  folder.close(history);
});
afterAll(async () => {
  folder[Symbol.dispose]();
  await receiver.close();
});
beforeEach(() => {
  receiver.asked.length = 0;
  receiver.kept.clear();
  receiver.answer = () => taken;
});
afterEach(() => {
  for (const name of stateFiles()) rmSync(join(folder.path, name));
});

/** A clock that waits move on, and nothing else. */
function makeTiming(requestMs: number) {
  const waits: number[] = [];
  let now = untilAt;
  return {
    waits,
    now: () => now,
    async sleep(ms: number, signal: AbortSignal) {
      signal.throwIfAborted();
      waits.push(ms);
      now += ms;
    },
    random: () => 0.5,
    requestMs,
  };
}

async function send(
  argv: readonly string[],
  { terminal = false, stopAt = Number.POSITIVE_INFINITY, requestMs = 20_000, now = untilAt } = {},
) {
  const { io, printed, stop } = makeFakeIo({ terminal });
  const { answer } = receiver;
  receiver.answer = (received, index) => {
    if (index >= stopAt) stop();
    return answer(received, index);
  };
  const timing = makeTiming(requestMs);
  const command = exportCommand(io, () => now, timing);
  const target = ['--history.file', folder.file, '--remote-write', receiver.url];
  const exitCode = await runCommandLine(io, ['export', ...target, ...argv], [command]);
  const tidy = (text: string) =>
    text.replaceAll(folder.path, 'DIR').replace(/this run took .* samples\/s/, 'this run took TIME');
  return { exitCode, stdout: tidy(printed.stdout), stderr: tidy(printed.stderr), waits: timing.waits };
}

/** Samples of each series on a line, in the order of time. */
type Lines = ReadonlyMap<string, string>;

/** The samples that `export` writes as text, as the receiver should have them. */
async function readText(argv: readonly string[]): Promise<Lines> {
  const key = argv.join(' ');
  const text = written.get(key) ?? (await writeText(argv));
  written.set(key, text);
  return text;
}

const written = new Map<string, Lines>();

async function writeText(argv: readonly string[]): Promise<Lines> {
  const { io, printed } = makeFakeIo();
  const command = exportCommand(io, () => untilAt);
  await runCommandLine(io, ['export', '--history.file', folder.file, ...argv], [command]);
  const expected = new Map<string, string[]>();
  for (const { name, labels, value, at } of readTimedSamples(printed.stdout)) {
    const found = Array.from(
      labels.matchAll(/(\w+)="([^"]*)"/g),
      ([, label = '', text = '']) => [label, text] as const,
    );
    const pairs = [['__name__', name] as const, ...found.filter(([, text]) => text !== '')];
    const series = nameSeries(pairs.toSorted(([one], [other]) => (one < other ? -1 : 1)));
    const samples = expected.get(series) ?? [];
    expected.set(series, samples);
    samples.push(`${Math.round(at)}=${value}`);
  }
  return new Map([...expected].map(([name, samples]) => [name, samples.join(' ')]));
}

/** The samples that the receiver has, without the ends of series. */
function listKept(): Lines {
  const all = [...receiver.kept].map(([name, values]) => {
    const shown = [...values].filter(([, value]) => value !== 'stale').map(([at, value]) => `${at}=${value}`);
    return [name, shown.join(' ')] as const;
  });
  return new Map(all.filter(([, samples]) => samples !== ''));
}

const stateFiles = () => readdirSync(folder.path).filter(name => name.includes('remote-write'));

test('every sample that is written as text arrives, in order, with the headers of the protocol', async () => {
  const argv = ['--step', '1m', '--label', 'instance=host:1', '--label', 'replica=b'];
  const { exitCode, stdout, stderr } = await send(argv);
  const expected = await readText(argv);
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  expect(listKept()).toEqual(expected);
  const samples = [...receiver.kept.values()].reduce((sum, values) => sum + values.size, 0);
  expect(stdout).toMatch(
    new RegExp(
      `^sent ${samples} samples from 2026-11-21T10:00:00.000Z to 2026-11-21T13:00:00.000Z; this run took TIME, \\d+ requests, \\d+\\.\\d bytes a sample\n$`,
    ),
  );
  expect(receiver.asked[0]).toMatchObject({
    method: 'POST',
    path: '/api/v1/write',
    headers: {
      'content-encoding': 'snappy',
      'content-type': 'application/x-protobuf',
      'x-prometheus-remote-write-version': '0.1.0',
      'user-agent': expect.stringMatching(/^dbpm-exporter\//),
    },
  });
  expect(stateFiles()).toEqual([]);
});

test('a series that ends is said to have ended, once, also where a stretch ends', async () => {
  await send(everySecond);
  const series = [...receiver.kept.values()];
  const ends = series.map(values => [...values].filter(([, value]) => value === 'stale'));
  expect(ends).toEqual([[], [[startAt + 20 * minute, 'stale']], [[startAt + 5000 * second, 'stale']]]);
  const counts = [180 * 60 + 1, 20 * 60 + 1, 5000 + 1];
  expect(series.map(values => [...values.keys()])).toEqual(
    counts.map(count => Array.from({ length: count }, (_, index) => startAt + index * second)),
  );
});

test.each<[string, Answer, number]>([
  ['429', { status: 429, headers: { 'retry-after': '7' } }, 7000],
  [
    '503',
    {
      status: 503,
      headers: { date: 'Sat, 21 Nov 2026 12:00:00 GMT', 'retry-after': 'Sat, 21 Nov 2026 12:00:09 GMT' },
    },
    9000,
  ],
  ['a mistyped wait', { status: 500, headers: { 'retry-after': 'soon' } }, 250],
  ['a connection that breaks', 'reset', 250],
  ['no answer', 'silence', 250],
])('%s is tried again as late as it says, and all arrives once', async (_, trouble, waitMs) => {
  receiver.answer = (_received, index) => (index === 0 ? trouble : taken);
  const requestMs = trouble === 'silence' ? 1000 : 20_000;
  const { exitCode, waits, stderr } = await send(created, { requestMs });
  expect(exitCode).toBe(0);
  expect(waits[0]).toBe(waitMs);
  expect(stderr).toMatch(/^note: the receiver takes nothing for now and is asked again: .+\n$/);
  expect(listKept()).toEqual(await readText(created));
});

test.each<[Answer, string]>([
  [
    { status: 400, body: 'label name "le" is wrong\nsecond line' },
    '400: it refuses what was sent (it says: label name "le" is wrong second line)',
  ],
  [
    { status: 400, body: 'out of bounds' },
    '400: it takes no samples as old as these: widen its window for them (tsdb.out_of_order_time_window of Prometheus), or begin later with --from (it says: out of bounds)',
  ],
  [
    { status: 307, headers: { location: 'http://elsewhere/' } },
    '307: it answers with a redirect: name the address it really has',
  ],
  [
    { status: 200, headers: { 'content-type': 'text/html' }, body: '<h1>Log in</h1>' },
    '200 with a page for people: name the address that takes remote write, such as http://host:8428/api/v1/write',
  ],
  [
    { status: 404, headers: { 'content-type': 'text/html' }, body: '<h1>Nothing</h1>' },
    '404: nothing takes remote write there: Prometheus does at /api/v1/write, with --web.enable-remote-write-receiver',
  ],
  [
    { status: 413, body: 'too large' },
    '413: it takes no request as large as this (it says: too large), to a single series',
  ],
])('%j ends it with one sentence, and the next run begins anew', async (answer, sentence) => {
  receiver.answer = () => answer;
  const { exitCode, stderr, stdout, waits } = await send(created);
  expect({ exitCode, stdout, waits }).toEqual({ exitCode: 1, stdout: '', waits: [] });
  expect(stderr).toMatch(
    /; \d+ samples that were sent were not taken; run it again to go on from the beginning\n$/,
  );
  expect(stderr).toContain(`dbpm-exporter: the receiver answers ${sentence}; `);
  expect(stateFiles()).toEqual([]);
});

test('one batch that is refused on the way ends it, what was taken before stays, and the next run goes on after it', async () => {
  const isLate = (samples: readonly { readonly at: number }[]) =>
    (samples[0]?.at ?? 0) > startAt + 5000 * second;
  receiver.answer = ({ series }) =>
    series.some(({ samples }) => isLate(samples)) ? { status: 400, body: 'not this one' } : taken;
  const { exitCode, stderr } = await send(everySecond);
  expect(exitCode).toBe(1);
  expect(stderr).toMatch(
    /^dbpm-exporter: the receiver answers 400: it refuses what was sent \(it says: not this one\); .* samples that were sent were not taken; run it again to go on after 2026-11-21T12:46:39.000Z\n$/,
  );
  receiver.answer = () => taken;
  expect((await send(everySecond)).exitCode).toBe(0);
  expect(listKept()).toEqual(await readText(everySecond));
});

test('a batch that is too large is sent in smaller ones', async () => {
  receiver.answer = ({ series }) => (series.length > 2 ? { status: 413 } : taken);
  const argv = ['--step', '5m'];
  expect((await send(argv)).exitCode).toBe(0);
  expect(listKept()).toEqual(await readText(argv));
});

test('a receiver that takes nothing for too long is given up', async () => {
  receiver.answer = () => ({ status: 503, body: 'no room' });
  const { exitCode, stderr, waits } = await send([...created, '--patience', '1m']);
  expect(exitCode).toBe(1);
  expect(stderr).toMatch(
    /dbpm-exporter: the receiver took nothing for .+s and is to be asked again at 2026-11-21T13:0\d:.+Z, which is longer than --patience; the last was 503: it has trouble \(it says: no room\); .*run it again to go on from the beginning\n$/,
  );
  const total = waits.reduce((sum, ms) => sum + ms, 0);
  expect(total).toBeGreaterThan(30_000);
  expect(total).toBeLessThanOrEqual(60_000);
  receiver.answer = () => ({ status: 429, headers: { 'retry-after': '3600' } });
  expect((await send(created)).waits).toEqual([]);
});

test('what was told to stop goes on where it was, for the same range', async () => {
  const { exitCode, stderr } = await send(everySecond, { stopAt: 0 });
  expect({ exitCode, stderr }).toEqual({
    exitCode: 1,
    stderr:
      'dbpm-exporter: the export was told to stop before its end: run it again to go on after 2026-11-21T11:23:19.000Z\n',
  });
  const before = receiver.asked.length;
  const again = await send(everySecond);
  expect(again).toMatchObject({
    exitCode: 0,
    stderr: expect.stringMatching(
      /^note: it goes on where an earlier run ended, at 2026-11-21T11:23:19.000Z, and to its end at 2026-11-21T13:00:00.000Z: remove DIR\/dbpm.sqlite.remote-write-[0-9a-f]{16}.json to begin anew\n$/,
    ),
  });
  const sentAgain = receiver.asked
    .slice(before)
    .flatMap(({ series }) => series.flatMap(({ samples }) => samples));
  expect(Math.min(...sentAgain.map(({ at }) => at))).toBe(startAt + 5000 * second);
  expect(listKept()).toEqual(await readText(everySecond));
  expect(stateFiles()).toEqual([]);
});

test('what was broken off before its first stretch was taken is sent again at the same instants', async () => {
  receiver.answer = () => ({ status: 503, headers: { 'retry-after': '86400' } });
  const first = await send(created, { now: untilAt - 1 });
  expect(first.exitCode).toBe(1);
  expect(first.stderr).toMatch(/; run it again to go on from the beginning\n$/);
  receiver.answer = () => ({ status: 401 });
  expect((await send(created)).exitCode).toBe(1);
  receiver.answer = () => taken;
  const again = await send(created);
  expect(again).toMatchObject({
    exitCode: 0,
    stderr: expect.stringMatching(
      /^note: it sends the range of an earlier run that was broken off, from 2026-11-21T10:00:00.000Z to 2026-11-21T12:59:59.999Z: remove DIR\/dbpm.sqlite.remote-write-[0-9a-f]{16}.json to begin anew\n$/,
    ),
  });
  const kept = [...listKept().values()].flatMap(samples => samples.split(' '));
  expect(kept.filter(sample => (untilAt - 1 - Number.parseInt(sample, 10)) % minute !== 0)).toEqual([]);
  expect(kept.length).toBeGreaterThan(100);
  expect(stateFiles()).toEqual([]);
});

test('the log of a history that is written meanwhile does not grow until the end', async () => {
  const history = folder.open({ dropAfterMs: 0 });
  const database = new Database(folder.file);
  const moved: number[] = [];
  receiver.answer = () => {
    history.commitOne(failedReading(untilAt, 'projects', 'network'));
    const [found] = database.pragma('wal_checkpoint(PASSIVE)') as { checkpointed: number }[];
    moved.push(found?.checkpointed ?? 0);
    return taken;
  };
  expect((await send(everySecond)).exitCode).toBe(0);
  database.close();
  folder.close(history);
  expect(listKept()).toEqual(await readText(everySecond));
  // As long as one look lasts, nothing of what was written since gets into the file.
  expect(Math.max(...moved)).toBeGreaterThan(moved[0] ?? 0);
});

test('the file that keeps how far it has come is for one export alone', async () => {
  const resume = join(folder.path, 'state.json');
  const argv = [...everySecond, '--resume', resume];
  await send(argv, { stopAt: 0 });
  expect(Object.keys(JSON.parse(readFileSync(resume, 'utf8')))).toEqual([
    'version',
    'export',
    'from',
    'to',
    'samples',
    'sentUntil',
  ]);
  expect(await send([...argv, '--label', 'instance=other:1'])).toMatchObject({
    exitCode: 1,
    stderr:
      'dbpm-exporter: DIR/state.json is of an export of another history, range or series, or to another receiver: name another with --resume, or remove it\n',
  });
  for (const text of ['', '{"version":2}', 'null', '{"version":1,"export":"x","from":"a"}']) {
    writeFileSync(resume, text);
    expect(await send(argv)).toMatchObject({
      exitCode: 1,
      stderr:
        'dbpm-exporter: DIR/state.json does not say how far an export has come: name another with --resume\n',
    });
  }
  const asked = receiver.asked.length;
  const nowhere = await send([...created, '--resume', join(folder.path, 'no', 'state.json')]);
  expect(nowhere.stderr).toMatch(
    /^dbpm-exporter: DIR\/no\/state.json cannot be written: .*; name another file with --resume; /,
  );
  expect([nowhere.exitCode, receiver.asked.length]).toEqual([1, asked]);
});

test('a terminal shows how fast it goes', async () => {
  const { stderr } = await send(created, { terminal: true });
  const lines = stderr.replaceAll('\u001b[K', '').split('\r');
  expect(lines.at(-1)).toBe('');
  expect(lines.find(line => line !== '')).toMatch(/^exporting: \d+%, [\d.]+[kM]? samples\/s$/);
});
