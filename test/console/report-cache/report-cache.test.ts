import { expect, onTestFinished, test, vi } from 'vitest';
import { PageProblem } from '../../../src/console/page-problem.ts';
import { ReportCache, type ReportSource } from '../../../src/console/report-cache/report-cache.ts';
import { NotWhole, type ReportSet } from '../../../src/console/report-cache/report-set.ts';
import type { MadeReport } from '../../../src/report/maker.ts';

const second = 1000;

const main = { account: 'main', state: 'whole', projects: 1, importsLeft: 0 } as const;

/** One report, by its title. */
function setOf(title: string, rows = 0): ReportSet {
  const report = { title, columns: [{}], rows: Array.from({ length: rows }, () => ['']) };
  return { at: 0, accounts: [main], reports: [report as unknown as MadeReport] };
}

const cacheOf = (make: ReportSource['make'], now?: () => number) =>
  new ReportCache({ make, projects: () => Promise.reject(new Error('not here')) }, () => {}, now);

/** A cache whose reports have their number as their title, and take as long as is said. */
function openReports({ tookMs = 0, rows = 1 } = {}) {
  const clock = { now: 0 };
  let made = 0;
  const make = vi.fn(async () => {
    made += 1;
    clock.now += tookMs;
    return setOf(String(made), rows);
  });
  const cache = cacheOf(make, () => clock.now);
  const title = async (period = 'billing') => (await cache.ask('cost', { period })).title;
  return { clock, make, cache, title };
}

test('a report is made once for all who ask at the same time, and soon after', async () => {
  const { make, title, clock } = openReports();
  expect(await Promise.all([title(), title(), title()])).toEqual(['1', '1', '1']);
  clock.now += 9 * second;
  expect(await title()).toBe('1');
  expect(make).toHaveBeenCalledTimes(1);
});

test('an old report is shown once more, and made anew for the next reader', async () => {
  const { make, title, clock } = openReports();
  await title();
  const order = [{ reports: [{ kind: 'cost', options: { period: 'billing' } }] }] as const;
  expect(make).toHaveBeenLastCalledWith(...order, 0, expect.any(AbortSignal));
  clock.now += 11 * second;
  expect(await title()).toBe('1');
  expect(make).toHaveBeenLastCalledWith(...order, 11 * second, expect.any(AbortSignal));
  expect(await title()).toBe('2');
});

test('a report that is a minute old is waited for after a quiet while, where it took little time', async () => {
  const { title, clock } = openReports();
  await title();
  clock.now += 60 * second;
  expect(await title()).toBe('2');
});

test('an old report is shown where the new one does not come soon, or cannot be made', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const { make, title, clock } = openReports();
  await title();
  clock.now += 60 * second;
  make.mockImplementationOnce(() => new Promise(() => {}));
  const late = title();
  await vi.advanceTimersByTimeAsync(second);
  expect(await late).toBe('1');

  const other = openReports();
  await other.title();
  other.clock.now += 60 * second;
  other.make.mockRejectedValueOnce(new Error('no history'));
  expect(await other.title()).toBe('1');
});

test('an old report that took seconds is shown at once, and made anew for the next reader', async () => {
  const { title, clock } = openReports({ tookMs: second });
  await title();
  clock.now += 60 * second;
  expect(await title()).toBe('1');
  expect(await title()).toBe('2');
});

test('one that takes long is made less often, and one of long ago is waited for', async () => {
  const { title, clock } = openReports({ tookMs: 5 * second });
  await title();
  clock.now += 40 * second;
  expect(await title()).toBe('1');
  clock.now += 11 * 60 * second;
  expect(await title()).toBe('2');
});

test('one that took minutes is shown for as long as it takes to be due and made again', async () => {
  const { title, clock } = openReports({ tookMs: 180 * second });
  await title();
  clock.now += 19 * 180 * second + 60 * second;
  expect(await title()).toBe('1');
  clock.now += 19 * 180 * second + 601 * second;
  expect(await title()).toBe('3');
});

test('reports that are asked for together are made together, and are another thing than each alone', async () => {
  const { make, cache, title } = openReports();
  const cost = { kind: 'cost', options: { period: 'billing' } } as const;
  const question = { reports: [cost, { kind: 'findings', options: {} }], withUsage: true } as const;
  await title();
  make.mockResolvedValueOnce({ ...setOf('together'), usage: { accounts: [], budgets: [] } });
  const both = await cache.askTogether(question);
  expect(make).toHaveBeenLastCalledWith(question, 0, expect.any(AbortSignal));
  expect(await cache.askSoon(question)).toBe(both);
  expect(make).toHaveBeenCalledTimes(2);
});

test('what rests on a past that is still being read is not shown, and is asked for again each time', async () => {
  const { make, cache, title } = openReports();
  const importing = { ...main, state: 'importing', importsLeft: 1 } as const;
  for (const _ of [1, 2]) {
    make.mockResolvedValueOnce({ at: 0, accounts: [importing] });
    const refused = await cache.ask('cost', { period: 'billing' }).catch(error => error);
    expect(refused).toBeInstanceOf(NotWhole);
    expect(refused.accounts).toEqual([importing]);
  }
  expect(await title()).toBe('1');
  expect(make).toHaveBeenCalledTimes(3);
});

test('other options are another report, and the oldest gives way', async () => {
  const { title, make } = openReports({ rows: 150_000 });
  await title('a');
  await title('b');
  await title('c');
  expect(make).toHaveBeenCalledTimes(3);
  await title('c');
  await title('b');
  expect(make).toHaveBeenCalledTimes(3);
  await title('a');
  expect(make).toHaveBeenCalledTimes(4);
});

test('a report that is larger than all that is kept is kept alone, and only while it is fresh', async () => {
  const { make, cache, clock } = openReports();
  const sized = (rows: number) => make.mockImplementationOnce(async () => setOf(String(rows), rows));
  await cache.ask('cost', { period: 'small' });
  sized(400_001);
  for (const _ of [1, 2]) expect((await cache.ask('usage', {})).title).toBe('400001');
  expect(make).toHaveBeenCalledTimes(2);
  await cache.ask('cost', { period: 'small' });
  expect(make).toHaveBeenCalledTimes(3);
  sized(400_002);
  expect((await cache.ask('usage', {})).title).toBe('400002');
  clock.now += 10 * second;
  sized(400_003);
  expect((await cache.ask('usage', {})).title).toBe('400003');
});

test('a report that cannot be made is tried again', async () => {
  let isThere = false;
  const problem = new PageProblem(400, 'There is no such report', 'no');
  const cache = cacheOf(
    async () => {
      if (!isThere) throw problem;
      return setOf('made');
    },
    () => 0,
  );
  await expect(cache.ask('cost', {})).rejects.toBe(problem);
  isThere = true;
  expect((await cache.ask('cost', {})).title).toBe('made');
});

test('each that is old and takes little time is made anew, whatever else is made', async () => {
  const { cache, clock, make } = openReports({ tookMs: second });
  const ask = async (period: string) => (await cache.ask('cost', { period })).title;
  for (const period of ['this', 'last']) await ask(period);
  clock.now += 20 * second;
  expect([await ask('this'), await ask('last')]).toEqual(['1', '2']);
  await vi.waitFor(() => expect(make).toHaveBeenCalledTimes(4));
  expect([await ask('this'), await ask('last')]).toEqual(['3', '4']);
});

test('those that take long are made anew in turn, in a tenth of the time together', async () => {
  const { cache, clock, make } = openReports();
  const begun: string[] = [];
  make.mockImplementation(async (...asked: unknown[]) => {
    const [{ reports }] = asked as [{ reports: { options: { period: string } }[] }];
    begun.push(reports[0]?.options.period ?? '');
    clock.now += 3 * second;
    return setOf('made');
  });
  const look = async () => {
    for (const period of ['this', 'last', 'before']) await cache.ask('cost', { period });
  };
  await look();
  // Each could be made anew after a minute if it were alone.
  clock.now += 70 * second;
  for (const untilAt = clock.now + 300 * second; clock.now < untilAt; clock.now += second) await look();
  const turn = ['this', 'last', 'before'];
  expect(begun).toEqual([...turn, ...turn, ...turn, ...turn, 'this']);
});

test('one that no reader asks for any longer is not waited for', async () => {
  const { clock, make, title } = openReports({ tookMs: 3 * second });
  for (const period of ['this', 'last']) await title(period);
  clock.now += 70 * second;
  await title('this');
  await title('last');
  clock.now += 61 * second;
  await title('this');
  expect(make).toHaveBeenCalledTimes(4);
});

test('where too much is being made already, a page that has other things to say goes on without', async () => {
  const busy = new PageProblem(503, 'Too much is being worked out', '');
  const cache = cacheOf(() => Promise.reject(busy));
  expect(await cache.askSoon({ reports: [] })).toBeUndefined();
  await expect(cache.askTogether({ reports: [] })).rejects.toBe(busy);
});

test('one that takes long is waited for once, and not by each reader', async () => {
  const made = Promise.withResolvers<ReportSet>();
  const clock = { now: 0 };
  const cache = cacheOf(
    () => made.promise,
    () => clock.now,
  );
  const ask = () => cache.askSoon({ reports: [{ kind: 'findings', options: {} }] });
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const answered = vi.fn();
  const first = ask().then(answered);
  await vi.advanceTimersByTimeAsync(699);
  expect(answered).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(1);
  await first;
  clock.now = 700;
  const second = ask().then(answered);
  await vi.advanceTimersByTimeAsync(1);
  await second;
  expect(answered.mock.calls).toEqual([[undefined], [undefined]]);
  const set = setOf('made');
  made.resolve(set);
  expect(await ask()).toBe(set);
});

test('a report is dropped once all are gone who asked for it, and made for whoever asks then', async () => {
  const signals: AbortSignal[] = [];
  const make = (_question: unknown, _now: number, signal: AbortSignal) => {
    signals.push(signal);
    return new Promise<ReportSet>((_resolve, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason));
    });
  };
  const cache = cacheOf(make, () => 0);
  const [one, other] = [new AbortController(), new AbortController()];
  const asked = [
    cache.ask('cost', {}, one.signal),
    cache.askSoon({ reports: [{ kind: 'cost', options: {} }] }, other.signal),
  ];
  const ended = Promise.allSettled(asked);
  one.abort();
  expect(signals.map(({ aborted }) => aborted)).toEqual([false]);
  other.abort();
  expect((await ended).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  void cache.ask('cost', {});
  expect(signals.map(({ aborted }) => aborted)).toEqual([true, false]);
});
