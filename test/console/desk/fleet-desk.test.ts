import { setImmediate } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { DeskMaker } from '../../../src/console/desk/desk-maker.ts';
import { FleetDesk, type FleetMakers } from '../../../src/console/desk/fleet-desk.ts';
import { RenewalPace } from '../../../src/console/desk/renewal-pace.ts';
import { figureNames } from '../../../src/console/page/fleet/sheet/fleet-figure.ts';
import type { OpenSheet } from '../../../src/console/page/fleet/sheet/open-sheet.ts';
import { PageProblem } from '../../../src/console/page-problem.ts';
import { HistoryFolder } from '../../support/history-folder.ts';
import { openConsole } from '../../support/open-console.ts';
import { minute, second, startAt, wireProject } from '../../support/reading-builder.ts';

const folder = new HistoryFolder();
const yaml =
  'pricing: {currency: EUR, plans: [{name: all, prices: [{from: 2020-01-01, per_compute_hour: 0.16}]}]}';
let maker: DeskMaker;
beforeAll(async () => {
  folder.openListed([wireProject('p1')]);
  const shown = await openConsole({ file: folder.file, now: startAt, yaml });
  maker = new DeskMaker(shown.config);
  shown.close();
});
afterAll(() => {
  maker.close();
  folder[Symbol.dispose]();
});

/** A desk at an instant that can be changed, with what it had made. */
function openDesk(makers: Partial<FleetMakers> = {}) {
  const clock = { now: startAt };
  const made: string[] = [];
  const failures: unknown[] = [];
  const desk = new FleetDesk(
    {
      async take(name, now) {
        made.push(name);
        return (makers.take ?? ((...asked) => maker.figure({ name: asked[0], now: asked[1] })))(name, now);
      },
      async join(groupings, figures) {
        made.push('join');
        return (makers.join ?? (async () => maker.fleet({ groupings, figures })))(groupings, figures);
      },
      onFailure: error => failures.push(error),
    },
    figureNames,
    new RenewalPace(),
    () => clock.now,
  );
  return { desk, clock, made, failures };
}

const rowOf = (sheet: OpenSheet) => {
  const { project_id, compute_hours, cost, cost_forecast, findings } = sheet.row(0);
  return { project_id, compute_hours, cost, cost_forecast, findings };
};
const whole = { project_id: 'p1', compute_hours: '0.00', cost: '0.00', cost_forecast: '0.00', findings: 0 };
const eachAlone = figureNames.flatMap(name => [name, 'join']);

test('projects are joined once for all who ask soon after, and a little old ones are shown while they are joined anew', async () => {
  const { desk, clock, made } = openDesk();
  const [first, same] = await Promise.all([desk.read([]), desk.read([])]);
  expect(same).toBe(first);
  expect(rowOf(first)).toEqual(whole);
  expect(made).toEqual(['join', ...eachAlone]);
  clock.now += 4 * second;
  expect(await desk.read([])).toBe(first);
  clock.now += 2 * second;
  expect(await desk.read([])).toBe(first);
  const again = await vi.waitFor(async () => {
    const latest = await desk.read([]);
    expect(latest).not.toBe(first);
    return latest;
  }, 30_000);
  expect(rowOf(again)).toEqual(whole);
  expect(made.slice(1 + eachAlone.length)).toEqual(['join']);
});

test('figures that were taken or begun before all are renewed are shown to nobody who asks later', async () => {
  const begun = Promise.withResolvers<void>();
  let isHeld = true;
  const { desk, made } = openDesk({
    async take(name, now) {
      if (isHeld && name === 'cost') await begun.promise;
      return maker.figure({ name, now });
    },
  });
  const before = desk.read([]);
  await vi.waitFor(() => expect(made).toContain('cost'), 30_000);
  desk.renewAll();
  isHeld = false;
  begun.resolve();
  await before;
  made.length = 0;
  expect(rowOf(await desk.read([]))).toEqual(whole);
  // Figures that the first reader's work took after that are as new.
  expect(made).toEqual(expect.arrayContaining(['usage', 'cost']));
});

test('what was begun anew when all were renewed is not begun once more when what was begun before ends', async () => {
  const gates = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  let taken = 0;
  const { desk, made } = openDesk({
    async take(name, now) {
      if (name === 'usage') await gates[taken++]?.promise;
      return maker.figure({ name, now });
    },
  });
  const takenUsage = () => made.filter(each => each === 'usage').length;
  const before = desk.read([]);
  await vi.waitFor(() => expect(takenUsage()).toBe(1), 30_000);
  desk.renewAll();
  const anew = desk.read([]);
  await vi.waitFor(() => expect(takenUsage()).toBe(2), 30_000);
  gates[0]?.resolve();
  await before;
  const same = desk.read([]);
  await setImmediate();
  gates[1]?.resolve();
  expect(rowOf(await anew)).toEqual(whole);
  expect(rowOf(await same)).toEqual(whole);
  expect(takenUsage()).toBe(2);
});

test('one that is old is joined anew before it is shown, with new figures', async () => {
  const { desk, clock, made } = openDesk();
  const first = await desk.read([]);
  clock.now += minute;
  expect(await desk.read([])).not.toBe(first);
  expect(made.slice(1 + eachAlone.length)).toEqual([...figureNames, 'join']);
});

test('figures that are not ready are pending, and joined as soon as they are; the projects are there at once', async () => {
  const slow = Promise.withResolvers<void>();
  const { desk, clock } = openDesk({
    async take(name, now) {
      if (name !== 'usage') await slow.promise;
      return maker.figure({ name, now });
    },
  });
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const reading = desk.read([]);
  await setImmediate();
  await vi.advanceTimersByTimeAsync(second);
  const first = await reading;
  clock.now += second;
  const [later] = await Promise.all([desk.read([]), vi.advanceTimersByTimeAsync(1)]);
  vi.useRealTimers();
  expect(later).toBe(first);
  expect(first.told.pending).toEqual(['cost', 'findings', 'forecast']);
  expect(rowOf(first)).toEqual({ ...whole, cost: null, cost_forecast: null, findings: null });
  slow.resolve();
  await vi.waitFor(async () => expect((await desk.read([])).told.pending).toEqual([]), 30_000);
  expect(rowOf(await desk.read([]))).toEqual(whole);
});

test('a figure that takes minutes is shown for as long as it takes to be due and taken again', async () => {
  let isFirst = true;
  const { desk, clock } = openDesk({
    async take(name, now) {
      if (name === 'findings') {
        if (!isFirst) return new Promise(() => {});
        clock.now += 3 * minute;
      }
      return maker.figure({ name, now });
    },
  });
  await desk.read([]);
  isFirst = false;
  for (const isPending of [false, false, true]) {
    clock.now += 15 * minute;
    expect((await desk.read([])).told.pending.includes('findings')).toBe(isPending);
  }
});

test('figures are taken once for readers who may see other groupings', async () => {
  const { desk, made } = openDesk();
  await Promise.all([desk.read([]), desk.read([{ name: 'team' }])]);
  expect(made.filter(each => each !== 'join')).toEqual(figureNames);
});

test('figures that cannot be taken leave the others, are told once, and are tried again after a minute', async () => {
  let isBroken = true;
  const { desk, clock, failures } = openDesk({
    async take(name, now) {
      if (isBroken && name === 'cost') throw new Error('the disk is gone');
      return maker.figure({ name, now });
    },
  });
  for (const _ of [1, 2]) {
    expect(rowOf(await desk.read([]))).toEqual({ ...whole, cost: null, cost_forecast: null });
    expect([desk.failing, failures]).toEqual([['cost'], [new Error('the disk is gone')]]);
  }
  isBroken = false;
  clock.now += minute;
  await vi.waitFor(async () => expect(rowOf(await desk.read([]))).toEqual(whole), 30_000);
  expect(desk.failing).toEqual([]);
});

test('a reader who waits is told why projects cannot be joined, and it is tried again for the next', async () => {
  let isBroken = true;
  const { desk } = openDesk({
    async join(groupings, figures) {
      if (isBroken) throw new Error('the disk is gone');
      return maker.fleet({ groupings, figures });
    },
  });
  await expect(desk.read([])).rejects.toThrow('the disk is gone');
  isBroken = false;
  await vi.waitFor(async () => expect(rowOf(await desk.read([]))).toEqual(whole), 30_000);
});

test('where too much is made already, projects are shown without the figures', async () => {
  const { desk } = openDesk({
    async take() {
      throw new PageProblem(503, 'Too much is being worked out', '');
    },
  });
  expect((await desk.read([])).told.pending).toEqual(figureNames);
});
