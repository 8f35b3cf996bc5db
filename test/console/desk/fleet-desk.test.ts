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
  maker = new DeskMaker(shown.config, () => undefined);
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
      async take(now) {
        made.push('figures');
        return (makers.take ?? (at => maker.figures({ now: at })))(now);
      },
      async join(groupings, figures) {
        made.push('join');
        return (makers.join ?? (async () => maker.fleet({ groupings, ...(figures && { figures }) })))(
          groupings,
          figures,
        );
      },
      onFailure: error => failures.push(error),
    },
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
const none = { project_id: 'p1', compute_hours: null, cost: null, cost_forecast: null, findings: null };

test('projects are joined once for all who ask soon after, and a little old ones are shown while they are joined anew', async () => {
  const { desk, clock, made } = openDesk();
  const [first, same] = await Promise.all([desk.read([]), desk.read([])]);
  expect(same).toBe(first);
  expect(rowOf(first)).toEqual(whole);
  expect(made).toEqual(['join', 'figures', 'join']);
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
  expect(made.slice(3)).toEqual(['join']);
});

test('one that is old is joined anew before it is shown, with new figures', async () => {
  const { desk, clock, made } = openDesk();
  const first = await desk.read([]);
  expect(first.told.said.at).toBe(startAt);
  clock.now += minute;
  const next = await desk.read([]);
  expect(next).not.toBe(first);
  expect(next.told.said.at).toBe(startAt + minute);
  expect(made.slice(3)).toEqual(['figures', 'join']);
});

test('figures that are not ready are pending, and joined as soon as they are; the projects are there at once', async () => {
  const slow = Promise.withResolvers<void>();
  const { desk, clock } = openDesk({
    async take(now) {
      await slow.promise;
      return maker.figures({ now });
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
  expect(first.told.pending).toEqual(figureNames);
  expect(rowOf(first)).toEqual(none);
  slow.resolve();
  await vi.waitFor(async () => expect((await desk.read([])).told.pending).toEqual([]), 30_000);
  expect(rowOf(await desk.read([]))).toEqual(whole);
});

test('figures that take minutes are shown for as long as it takes to be due and taken again', async () => {
  let isFirst = true;
  const { desk, clock } = openDesk({
    async take(now) {
      if (!isFirst) return new Promise(() => {});
      clock.now += 3 * minute;
      return maker.figures({ now });
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
  expect(made.filter(each => each !== 'join')).toEqual(['figures']);
});

test('of an account whose past is being read there are the projects without figures, until it is whole', async () => {
  let isWhole = false;
  const { desk, made } = openDesk({
    async take(now) {
      const taken = await maker.figures({ now });
      const { at } = JSON.parse(new TextDecoder().decode(taken.json));
      const accounts = [{ account: 'main', state: 'importing', projects: 1, importsLeft: 1 }];
      const json = new TextEncoder().encode(JSON.stringify({ at, accounts }));
      return isWhole ? taken : { ...taken, json, isWhole };
    },
  });
  const early = await desk.read([]);
  expect([rowOf(early), early.told.pending, early.told.said.at]).toEqual([none, [], null]);
  isWhole = true;
  await vi.waitFor(async () => expect(rowOf(await desk.read([]))).toEqual(whole), 30_000);
  expect(made.filter(each => each === 'figures')).toHaveLength(2);
});

test('figures that cannot be worked out leave the others, are told once, and are tried again after a minute', async () => {
  let isBroken = true;
  const { desk, clock, failures } = openDesk({
    async take(now) {
      const taken = await maker.figures({ now });
      if (!isBroken) return taken;
      const look = JSON.parse(new TextDecoder().decode(taken.json));
      const { cost: _lost, ...figures } = look.figures;
      const json = new TextEncoder().encode(JSON.stringify({ ...look, figures }));
      return { ...taken, json, failed: [{ name: 'cost', message: 'a price is no price' }] };
    },
  });
  for (const _ of [1, 2]) {
    expect(rowOf(await desk.read([]))).toEqual({ ...whole, cost: null, cost_forecast: null });
    expect([desk.failing, failures]).toEqual([['cost'], [new Error('a price is no price')]]);
  }
  isBroken = false;
  clock.now += minute;
  await vi.waitFor(async () => expect(rowOf(await desk.read([]))).toEqual(whole), 30_000);
  expect(desk.failing).toEqual([]);
});

test('where no figure can be taken the projects are there, and it is tried again after a minute', async () => {
  let isBroken = true;
  const { desk, clock, failures } = openDesk({
    async take(now) {
      if (isBroken) throw new Error('the disk is gone');
      return maker.figures({ now });
    },
  });
  for (const _ of [1, 2]) expect(rowOf(await desk.read([]))).toEqual(none);
  expect([desk.failing, failures]).toEqual([figureNames, [new Error('the disk is gone')]]);
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
      return maker.fleet({ groupings, ...(figures && { figures }) });
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
