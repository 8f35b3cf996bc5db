import { setImmediate } from 'node:timers/promises';
import * as v from 'valibot';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { DeskMaker } from '../../../src/console/desk/desk-maker.ts';
import { FleetDesk, type MakeFleet } from '../../../src/console/desk/fleet-desk.ts';
import { figureNames } from '../../../src/console/page/fleet/fleet-figure.ts';
import type { Fleet } from '../../../src/console/page/fleet/fleet-join.ts';
import { fleetQuery } from '../../../src/console/page/fleet/fleet-query.ts';
import { listProjects } from '../../../src/console/page/fleet/project-list.ts';
import { PageProblem } from '../../../src/console/page-problem.ts';
import { HistoryFolder } from '../../support/history-folder.ts';
import { openConsole } from '../../support/open-console.ts';
import { instant, minute, second, startAt, wireProject } from '../../support/reading-builder.ts';

const folder = new HistoryFolder();
const yaml =
  'pricing: {currency: EUR, plans: [{name: all, prices: [{from: 2020-01-01, per_compute_hour: 0.16}]}]}';
let maker: DeskMaker;
beforeAll(async () => {
  folder.openListed([wireProject('p1')]);
  const shown = await openConsole({ file: folder.file, now: startAt, yaml });
  maker = new DeskMaker(shown.config, () => undefined);
  shown.close();
});
afterAll(() => {
  maker.close();
  folder[Symbol.dispose]();
});

/** A desk at an instant that can be changed, with what it had made; `make` stands in for the making with figures. */
function openDesk(makeWhole: MakeFleet = asked => maker.projects(asked)) {
  const clock = { now: startAt };
  const made: string[] = [];
  const failures: unknown[] = [];
  const make: MakeFleet = async (asked, signal) => {
    made.push(asked.withFigures ? 'figures' : 'projects');
    return asked.withFigures ? makeWhole(asked, signal) : maker.projects(asked);
  };
  const desk = new FleetDesk(
    make,
    error => failures.push(error),
    () => clock.now,
  );
  return { desk, clock, made, failures };
}

const rowOf = ({ table }: Fleet) => {
  const [row] = listProjects(table, v.parse(fleetQuery, {}), []).rows;
  if (row === undefined) throw new Error('there is no project');
  const { project_id, compute_hours, cost, cost_forecast, findings } = row;
  return { project_id, compute_hours, cost, cost_forecast, findings };
};
const whole = { project_id: 'p1', compute_hours: '0.00', cost: '0.00', cost_forecast: '0.00', findings: 0 };
const none = { project_id: 'p1', compute_hours: null, cost: null, cost_forecast: null, findings: null };
const failingOf = ({ failed }: Fleet) => failed.map(({ name }) => name);

test('projects are joined once for all who ask soon after, and a little old ones are shown while they are joined anew', async () => {
  const { desk, clock, made } = openDesk();
  const [first, same] = await Promise.all([desk.read(), desk.read()]);
  expect(same).toBe(first);
  expect(rowOf(first)).toEqual(whole);
  expect(made).toEqual(['projects', 'figures']);
  clock.now += 9 * second;
  expect(await desk.read()).toBe(first);
  clock.now += second;
  expect(await desk.read()).toBe(first);
  const again = await vi.waitFor(async () => {
    const latest = await desk.read();
    expect(latest).not.toBe(first);
    return latest;
  }, 30_000);
  expect([rowOf(again), again.said.as_of]).toEqual([whole, instant(startAt + 10 * second)]);
  expect(made.slice(2)).toEqual(['figures']);
});

test('those of long ago are not shown: there are the projects, and then their figures of now', async () => {
  const { desk, clock, made } = openDesk();
  await desk.read();
  clock.now += 11 * minute;
  expect((await desk.read()).said.as_of).toBe(instant(clock.now));
  expect(made.slice(2)).toEqual(['projects', 'figures']);
});

test('figures that are not ready are pending, and joined as soon as they are; the projects are there at once', async () => {
  const slow = Promise.withResolvers<void>();
  const { desk, clock } = openDesk(async asked => {
    await slow.promise;
    return maker.projects(asked);
  });
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const reading = desk.read();
  await setImmediate();
  await vi.advanceTimersByTimeAsync(second);
  const first = await reading;
  clock.now += second;
  const [later] = await Promise.all([desk.read(), vi.advanceTimersByTimeAsync(1)]);
  vi.useRealTimers();
  expect(later).toBe(first);
  expect(first.pending).toEqual(figureNames);
  expect(rowOf(first)).toEqual(none);
  slow.resolve();
  await vi.waitFor(async () => expect((await desk.read()).pending).toEqual([]), 30_000);
  expect(rowOf(await desk.read())).toEqual(whole);
});

test('figures that take minutes are shown for as long as it takes to be due and made again, and then waited for', async () => {
  let again: PromiseWithResolvers<void> | undefined;
  const { desk, clock } = openDesk(async asked => {
    clock.now += 3 * minute;
    await again?.promise;
    return maker.projects(asked);
  });
  await desk.read();
  again = Promise.withResolvers<void>();
  clock.now += 15 * minute;
  expect((await desk.read()).said.as_of).toBe(instant(startAt));
  clock.now += 15 * minute;
  const dueAt = clock.now;
  expect((await desk.read()).said.as_of).toBe(instant(startAt));
  clock.now += 15 * minute;
  const waited = desk.read();
  again.resolve();
  const fleet = await waited;
  expect([fleet.said.as_of, fleet.pending]).toEqual([instant(dueAt), []]);
});

test('of an account whose past is being read there are the projects without figures, until it is whole', async () => {
  let isWhole = false;
  const { desk, made } = openDesk(async asked => {
    const alone = await maker.projects({ ...asked, withFigures: false });
    const accounts = [{ account: 'main', state: 'importing', projects: 1, importsLeft: 1 }] as const;
    return isWhole ? maker.projects(asked) : { ...alone, pending: [], accounts };
  });
  const early = await desk.read();
  expect([rowOf(early), early.pending, early.said.as_of]).toEqual([none, [], null]);
  isWhole = true;
  await vi.waitFor(async () => expect(rowOf(await desk.read())).toEqual(whole), 30_000);
  expect(made).toEqual(['projects', 'figures', 'figures']);
});

test('figures that cannot be worked out leave the others, are told once, and are tried again after a minute', async () => {
  let isBroken = true;
  const { desk, clock, failures } = openDesk(async asked => {
    const fleet = await maker.projects(asked);
    return isBroken ? { ...fleet, failed: [{ name: 'cost', message: 'a price is no price' }] } : fleet;
  });
  for (const _ of [1, 2]) {
    expect(failingOf(await desk.read())).toEqual(['cost']);
    expect(failures).toEqual([new Error('a price is no price')]);
    clock.now += 59 * second;
  }
  isBroken = false;
  await vi.waitFor(async () => expect(failingOf(await desk.read())).toEqual([]), 30_000);
  expect(failures).toHaveLength(1);
});

test('where no figure can be worked out the projects are there, and it is tried again after a minute', async () => {
  let isBroken = true;
  const { desk, clock, failures } = openDesk(async asked => {
    if (isBroken) throw new Error('the disk is gone');
    return maker.projects(asked);
  });
  for (const _ of [1, 2]) {
    const fleet = await desk.read();
    expect([rowOf(fleet), failingOf(fleet), fleet.pending]).toEqual([none, figureNames, []]);
    expect(failures).toEqual([new Error('the disk is gone')]);
  }
  isBroken = false;
  clock.now += minute;
  await vi.waitFor(async () => expect(rowOf(await desk.read())).toEqual(whole), 30_000);
  expect(failingOf(await desk.read())).toEqual([]);
});

test('a reader who waits is told why projects cannot be joined, and it is tried again for the next', async () => {
  let isBroken = true;
  const desk = new FleetDesk(
    async asked => {
      if (isBroken) throw new Error('the disk is gone');
      return maker.projects(asked);
    },
    () => {},
    () => startAt,
  );
  await expect(desk.read()).rejects.toThrow('the disk is gone');
  isBroken = false;
  await vi.waitFor(async () => expect(rowOf(await desk.read())).toEqual(whole), 30_000);
});

test('where too much is made already, projects are shown without the figures', async () => {
  const { desk } = openDesk(async () => {
    throw new PageProblem(503, 'Too much is being worked out', '');
  });
  expect((await desk.read()).pending).toEqual(figureNames);
});

test('the list is not joined for readers who have all gone', async () => {
  const signals: AbortSignal[] = [];
  const { desk } = openDesk((_asked, signal) => {
    signals.push(signal);
    return new Promise((_resolve, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason));
    });
  });
  const gone = new AbortController();
  const reading = desk.read(gone.signal);
  await vi.waitFor(() => expect(signals).toHaveLength(1), 30_000);
  gone.abort();
  await expect(reading).rejects.toThrow('aborted');
  expect(signals[0]?.aborted).toBe(true);
});
