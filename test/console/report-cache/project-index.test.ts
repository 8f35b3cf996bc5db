import { setImmediate } from 'node:timers/promises';
import * as v from 'valibot';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { figureNames } from '../../../src/console/page/project-index/project-figure.ts';
import type { ProjectIndex } from '../../../src/console/page/project-index/project-index.ts';
import { listProjects } from '../../../src/console/page/project-index/project-list.ts';
import { projectsQuery } from '../../../src/console/page/project-index/projects-answer.ts';
import { PageProblem } from '../../../src/console/page-problem.ts';
import { ReportCache, type ReportSource } from '../../../src/console/report-cache/report-cache.ts';
import { ReportMaker } from '../../../src/console/report-cache/report-maker.ts';
import { HistoryFolder } from '../../support/history-folder.ts';
import { openConsole } from '../../support/open-console.ts';
import { instant, minute, second, startAt, wireProject } from '../../support/reading-builder.ts';
import { nothingWorkedOut } from '../../support/worked-out-usage.ts';

const folder = new HistoryFolder();
const yaml =
  'pricing: {currency: EUR, plans: [{name: all, prices: [{from: 2020-01-01, per_compute_hour: 0.16}]}]}';
let maker: ReportMaker;
beforeAll(async () => {
  folder.openListed([wireProject('p1')]);
  const shown = await openConsole({ file: folder.file, now: startAt, yaml });
  maker = new ReportMaker(shown.config, nothingWorkedOut);
  shown.close();
});
afterAll(() => {
  maker.close();
  folder[Symbol.dispose]();
});

type MakeIndex = (now: number, signal: AbortSignal) => Promise<ProjectIndex>;
const makeAll = (now: number) => maker.projects(now, true);

/** A cache at an instant that can be changed, with what it had made; `makeWhole` stands in for the making with figures. */
function openIndex(makeWhole: MakeIndex = makeAll, makeAlone: MakeIndex = now => maker.projects(now, false)) {
  const clock = { now: startAt };
  const made: string[] = [];
  const failures: unknown[] = [];
  const projects: ReportSource['projects'] = (now, withFigures, signal) => {
    made.push(withFigures ? 'figures' : 'projects');
    return (withFigures ? makeWhole : makeAlone)(now, signal);
  };
  const make = () => Promise.reject(new Error('not here'));
  const cache = new ReportCache(
    { make, projects },
    error => failures.push(error),
    () => clock.now,
  );
  const read = (gone?: AbortSignal) => cache.projects(gone);
  return { read, clock, made, failures };
}

const rowOf = ({ table }: ProjectIndex) => {
  const [row] = listProjects(table, v.parse(projectsQuery, {}), []).projects;
  if (row === undefined) throw new Error('there is no project');
  const { project_id, compute_hours, cost, cost_forecast, findings } = row;
  return { project_id, compute_hours, cost, cost_forecast, findings };
};
const whole = { project_id: 'p1', compute_hours: '0.00', cost: '0.00', cost_forecast: '0.00', findings: 0 };
const none = { project_id: 'p1', compute_hours: null, cost: null, cost_forecast: null, findings: null };
const failingOf = ({ failed }: ProjectIndex) => failed.map(({ name }) => name);

test('projects are joined once for all who ask soon after, and a little old ones are shown while they are joined anew', async () => {
  const { read, clock, made } = openIndex();
  const [first, same] = await Promise.all([read(), read()]);
  expect(same).toBe(first);
  expect(rowOf(first)).toEqual(whole);
  expect(made).toEqual(['projects', 'figures']);
  clock.now += 9 * second;
  expect(await read()).toBe(first);
  clock.now += second;
  expect(await read()).toBe(first);
  const again = await vi.waitFor(async () => {
    const latest = await read();
    expect(latest).not.toBe(first);
    return latest;
  }, 30_000);
  expect([rowOf(again), again.said.as_of]).toEqual([whole, instant(startAt + 10 * second)]);
  expect(made.slice(2)).toEqual(['figures']);
});

test('those of long ago are not shown: there are the projects, and then their figures of now', async () => {
  const { read, clock, made } = openIndex();
  await read();
  clock.now += 11 * minute;
  expect((await read()).said.as_of).toBe(instant(clock.now));
  expect(made.slice(2)).toEqual(['projects', 'figures']);
});

test('figures that are not ready are pending, and joined as soon as they are; the projects are there at once', async () => {
  const slow = Promise.withResolvers<void>();
  const { read, clock } = openIndex(async now => {
    await slow.promise;
    return makeAll(now);
  });
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const reading = read();
  await setImmediate();
  await vi.advanceTimersByTimeAsync(second);
  const first = await reading;
  clock.now += second;
  const [later] = await Promise.all([read(), vi.advanceTimersByTimeAsync(1)]);
  vi.useRealTimers();
  expect(later).toBe(first);
  expect(first.pending).toEqual(figureNames);
  expect(rowOf(first)).toEqual(none);
  slow.resolve();
  await vi.waitFor(async () => expect((await read()).pending).toEqual([]), 30_000);
  expect(rowOf(await read())).toEqual(whole);
});

test('figures that take minutes are shown for as long as it takes to be due and made again, and then waited for', async () => {
  let again: PromiseWithResolvers<void> | undefined;
  const { read, clock } = openIndex(async now => {
    clock.now += 3 * minute;
    await again?.promise;
    return makeAll(now);
  });
  await read();
  again = Promise.withResolvers<void>();
  clock.now += 30 * minute;
  expect((await read()).said.as_of).toBe(instant(startAt));
  clock.now += 30 * minute;
  const dueAt = clock.now;
  expect((await read()).said.as_of).toBe(instant(startAt));
  clock.now += 30 * minute;
  const waited = read();
  again.resolve();
  const fleet = await waited;
  expect([fleet.said.as_of, fleet.pending]).toEqual([instant(dueAt), []]);
});

test('of an account whose past is being read there are the projects without figures, until it is whole', async () => {
  let isWhole = false;
  const { read, made } = openIndex(async now => {
    const alone = await maker.projects(now, false);
    const accounts = [{ account: 'main', state: 'importing', projects: 1, importsLeft: 1 }] as const;
    return isWhole ? makeAll(now) : { ...alone, pending: [], accounts };
  });
  const early = await read();
  expect([rowOf(early), early.pending, early.said.as_of]).toEqual([none, [], null]);
  isWhole = true;
  await vi.waitFor(async () => expect(rowOf(await read())).toEqual(whole), 30_000);
  expect(made).toEqual(['projects', 'figures', 'figures']);
});

test('figures that cannot be worked out leave the others, are told once, and are tried again after a minute', async () => {
  let isBroken = true;
  const { read, clock, failures } = openIndex(async now => {
    const fleet = await makeAll(now);
    return isBroken ? { ...fleet, failed: [{ name: 'cost', message: 'a price is no price' }] } : fleet;
  });
  for (const _ of [1, 2]) {
    expect(failingOf(await read())).toEqual(['cost']);
    expect(failures).toEqual([new Error('a price is no price')]);
    clock.now += 59 * second;
  }
  isBroken = false;
  await vi.waitFor(async () => expect(failingOf(await read())).toEqual([]), 30_000);
  expect(failures).toHaveLength(1);
});

test('where no figure can be worked out the projects are there, and it is tried again after a minute', async () => {
  let isBroken = true;
  const { read, clock, failures } = openIndex(async now => {
    if (isBroken) throw new Error('the disk is gone');
    return makeAll(now);
  });
  for (const _ of [1, 2]) {
    const fleet = await read();
    expect([rowOf(fleet), failingOf(fleet), fleet.pending]).toEqual([none, figureNames, []]);
    expect(failures).toEqual([new Error('the disk is gone')]);
  }
  isBroken = false;
  clock.now += minute;
  await vi.waitFor(async () => expect(rowOf(await read())).toEqual(whole), 30_000);
  expect(failingOf(await read())).toEqual([]);
});

test('a reader who waits is told why projects cannot be joined, and it is tried again for the next', async () => {
  let isBroken = true;
  const { read } = openIndex(makeAll, async now => {
    if (isBroken) throw new Error('the disk is gone');
    return maker.projects(now, false);
  });
  await expect(read()).rejects.toThrow('the disk is gone');
  isBroken = false;
  await vi.waitFor(async () => expect(rowOf(await read())).toEqual(whole), 30_000);
});

test('where too much is made already, projects are shown without the figures', async () => {
  const { read } = openIndex(async () => {
    throw new PageProblem(503, 'Too much is being worked out', '');
  });
  expect((await read()).pending).toEqual(figureNames);
});

test('the list is not joined for readers who have all gone', async () => {
  const signals: AbortSignal[] = [];
  const { read } = openIndex((_now, signal) => {
    signals.push(signal);
    return new Promise((_resolve, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason));
    });
  });
  const gone = new AbortController();
  const reading = read(gone.signal);
  await vi.waitFor(() => expect(signals).toHaveLength(1), 30_000);
  gone.abort();
  await expect(reading).rejects.toThrow('aborted');
  expect(signals[0]?.aborted).toBe(true);
});
