import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readReportHistories } from '../../src/history/merge/report-reading.ts';
import type { ReportHistory } from '../../src/history/usage/report-history.ts';
import { dayMs, hourMs, minuteMs } from '../../src/resources/duration.ts';
import { type Granularity, granularities } from '../../src/resources/meter.ts';
import { monthStart } from '../../src/resources/utc-month.ts';
import { HistoryFolder } from '../support/history-folder.ts';
import { consumptionReading } from '../support/meter-builder.ts';
import { answerMeter, type MeteredProject } from '../support/metered-service.ts';
import { instant, projectsReading, wireProject } from '../support/reading-builder.ts';
import { isLong, testSeed } from '../support/seed.ts';

const metric = 'compute_unit_seconds';
const monthAt = Date.UTC(2026, 10, 1);
const hoursInAll = 37 * 24;
const endAt = monthAt + hoursInAll * hourMs;

/** A meter that is asked again and again, now by this and now by that, and may answer with nothing finer for weeks. */
interface Asked {
  readonly granularity: Granularity;
  readonly at: number;
  readonly lagHours: number;
}

const project = fc.record({
  bornAtHour: fc.oneof(fc.constant(0), fc.nat(30 * 24)),
  /** Hours in which something was used, and how much. */
  used: fc.array(
    fc.record({
      hour: fc.nat(hoursInAll - 1),
      length: fc.integer({ min: 1, max: 30 }),
      amount: fc.integer({ min: 1, max: 57_600 }),
    }),
    { maxLength: 8 },
  ),
});

/** In order of time. The last is one by the month: what hours and days do not tell, it does. */
const readings = (mostLag: number) => {
  const at = fc.nat(hoursInAll * 60).map(minute => monthAt + minute * minuteMs);
  const asked = fc.record({ granularity: fc.constantFrom(...granularities), at, lagHours: fc.nat(mostLag) });
  return fc.tuple(fc.array(asked, { maxLength: 12 }), fc.nat(2000)).map(([list, minutes]): Asked[] => {
    const inOrder = list.toSorted((a, b) => a.at - b.at);
    const lastAt = (inOrder.at(-1)?.at ?? monthAt) + minutes * minuteMs;
    return [...inOrder, { granularity: 'monthly', at: lastAt, lagHours: 0 }];
  });
};

function meteredProject(
  {
    bornAtHour,
    used,
  }: { bornAtHour: number; used: readonly { hour: number; length: number; amount: number }[] },
  index: number,
) {
  const hours = Array.from({ length: hoursInAll - bornAtHour }, (_, later) => {
    const hour = bornAtHour + later;
    const inHour = used.filter(each => each.hour <= hour && hour < each.hour + each.length);
    return { [metric]: inHour.reduce((sum, { amount }) => sum + amount, 0) };
  });
  const bornAt = monthAt + bornAtHour * hourMs;
  return { project_id: `p-${index}`, fromAt: bornAt, hours };
}

/** What was used before instants that begin an hour. */
function usedBefore({ fromAt, hours }: MeteredProject, instants: readonly number[]): number[] {
  const totals = [0];
  for (const each of hours) totals.push((totals.at(-1) ?? 0) + (each[metric] ?? 0));
  return instants.map(at => totals[Math.max(0, (at - fromAt) / hourMs)] ?? Number.NaN);
}

const oldestAt: Readonly<Record<Granularity, (now: number) => number>> = {
  hourly: now => Math.floor(now / hourMs) * hourMs - 167 * hourMs,
  daily: now => Math.floor(now / dayMs) * dayMs - 59 * dayMs,
  monthly: now => monthStart(now, -11),
};

/** Without what was not used: services leave it out. */
function answer(projects: readonly MeteredProject[], { granularity, at, lagHours }: Asked) {
  const question = { granularity, fromAt: oldestAt[granularity](at), untilAt: at };
  const told = answerMeter(projects, question, at, lagHours) as {
    periods: { consumption: { metrics: { value: number }[] }[] }[];
  }[];
  for (const { periods } of told)
    for (const period of periods)
      period.consumption = period.consumption.filter(({ metrics }) => metrics.some(({ value }) => value > 0));
  return consumptionReading(at, told, { granularity, fromAt: question.fromAt });
}

function look(
  projects: readonly MeteredProject[],
  asked: readonly Asked[],
  read: (history: ReportHistory) => void,
): void {
  using folder = new HistoryFolder();
  const history = folder.open();
  const items = projects.map(({ project_id, fromAt }) =>
    wireProject(project_id, { created_at: instant(fromAt) }),
  );
  history.commitOne(projectsReading(endAt, items));
  for (const each of asked) history.commitOne(answer(projects, each));
  readReportHistories([folder.file], known => known, read);
}

/** Hours of the time in which the meter was read, at which nothing is said to be estimated. */
function exactHours({ meter }: ReportHistory, untilAt: number): number[] {
  const hours = Array.from({ length: hoursInAll }, (_, hour) => monthAt + hour * hourMs);
  return hours.filter(at => at <= untilAt && meter.sumAround('main', at) === undefined);
}

const parameters = { numRuns: isLong ? 1000 : 20, seed: testSeed() };

test(`what is not said to be estimated was metered as it was used, however far hours, days and months are told (TEST_SEED=${parameters.seed})`, () => {
  fc.assert(
    fc.property(fc.array(project, { minLength: 1, maxLength: 3 }), readings(0), (drawn, asked) => {
      const projects = drawn.map(meteredProject);
      look(projects, asked, history => {
        const { metered } = history.usage;
        if (metered?.knownSpan('main') === undefined) return;
        const exact = exactHours(history, asked.at(-1)?.at ?? 0);
        for (const [index, each] of projects.entries()) {
          const found = exact.map(at => metered.meteredUntil(index + 1, metric, at));
          expect(found).toEqual(usedBefore(each, exact));
        }
      });
    }),
    parameters,
  );
});

test(`what may grow no more is as it was used, and nothing is before a project was made (TEST_SEED=${parameters.seed})`, () => {
  fc.assert(
    fc.property(fc.array(project, { minLength: 1, maxLength: 3 }), readings(10), (drawn, asked) => {
      const projects = drawn.map(meteredProject);
      look(projects, asked, history => {
        const { metered } = history.usage;
        const exact = exactHours(history, metered?.knownSpan('main')?.untilAt ?? 0);
        const all = Array.from({ length: hoursInAll / 3 }, (_, index) => monthAt + index * 3 * hourMs);
        for (const [index, each] of projects.entries()) {
          const until = (at: number) => metered?.meteredUntil(index + 1, metric, at) ?? 0;
          expect(exact.map(until)).toEqual(usedBefore(each, exact));
          const totals = all.map(until);
          expect(totals).toEqual(totals.toSorted((a, b) => a - b));
          expect(until(each.fromAt)).toBe(0);
          expect(until(endAt)).toBeLessThanOrEqual(usedBefore(each, [endAt])[0] ?? 0);
        }
      });
    }),
    parameters,
  );
});
