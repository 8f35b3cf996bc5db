import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  createProject,
  deleteProject,
  liveProjects,
  type SimulatedAccount,
} from '../../../src/simulator/model/account.ts';
import { drawProject } from '../../../src/simulator/model/blueprint.ts';
import { connect } from '../../../src/simulator/model/endpoint-life.ts';
import { createFleet } from '../../../src/simulator/model/fleet.ts';
import {
  type Granularity,
  granularities,
  timeframeOf,
} from '../../../src/simulator/model/later/billed-period.ts';
import { changePlan } from '../../../src/simulator/model/later/change.ts';
import { showMetered } from '../../../src/simulator/model/later/consumption.ts';
import type { LaterTerms } from '../../../src/simulator/model/later/later-account.ts';
import { readMeter, requireLater } from '../../../src/simulator/model/later/metering.ts';
import { hourOf, sumOver } from '../../../src/simulator/model/meter/hour-series.ts';
import { meteredMetrics } from '../../../src/simulator/model/meter/metered-metric.ts';
import { liveEndpoints, type SimulatedProject } from '../../../src/simulator/model/project.ts';
import { describeConsumption, describeTruth } from '../../../src/simulator/model/truth.ts';

/** Some days before the end of a month. */
const now = Date.parse('2026-02-26T10:20:30Z') / 1000;
const day = 86_400;

function openFleet(terms: Partial<LaterTerms> = {}, projects = 5, historyDays = 3): SimulatedAccount {
  const later = {
    orgs: [],
    keyOf: 'person',
    listCpu: 'present',
    listDeleted: false,
    includedBranches: 2,
    consumptionLagSeconds: 5000,
    unit: 'month',
    ...terms,
  } as const;
  const fleet = { seed: 4, projects, historyDays, apiKey: 'key', plan: 'paid', now, later } as const;
  const account = createFleet(fleet);
  account.timeline.advanceTo(now);
  return account;
}

type Periods = ReturnType<typeof showMetered>['periods'];

/** The sum of each metric over all periods and timeframes. */
function addUp(periods: Periods): Record<string, number> {
  const sums: Record<string, number> = {};
  for (const { metric_name, value } of periods.flatMap(({ consumption }) =>
    consumption.flatMap(({ metrics }) => metrics),
  )) {
    sums[metric_name] = (sums[metric_name] ?? 0) + value;
  }
  return sums;
}

/** All that a client is told of a project now. */
function tellAll(account: SimulatedAccount, project: SimulatedProject, granularity: Granularity): Periods {
  const range = {
    fromHour: timeframeOf(granularity, hourOf(project.createdAt)).fromHour,
    toHour: hourOf(account.timeline.now) + 1,
  };
  return showMetered(account, project, granularity, range, { metrics: meteredMetrics }).periods;
}

test('hours add up to days and days to months, to the unit, at every instant, in what is true and what is told', () => {
  const step = fc.integer({ min: 1, max: 3 * day });
  fc.assert(
    fc.property(fc.constantFrom('month', 'hour'), fc.array(step, { maxLength: 4 }), (unit, steps) => {
      const account = openFleet({ unit }, 3, 1);
      for (const seconds of steps) {
        account.timeline.advanceTo(account.timeline.now + seconds);
        const truth = describeTruth(account).projects;
        const [hourly, daily, monthly] = granularities.map(granularity =>
          describeConsumption(account, granularity).projects.map(({ periods }) => addUp(periods)),
        );
        expect(daily).toEqual(hourly);
        expect(monthly).toEqual(hourly);
        for (const [index, project] of [...account.projects.values()].entries()) {
          expect(truth[index]).toMatchObject({ consumption: { total: hourly?.[index] } });
          const told = granularities.map(granularity => addUp(tellAll(account, project, granularity)));
          expect(told[1]).toEqual(told[0]);
          expect(told[2]).toEqual(told[0]);
        }
      }
    }),
    { numRuns: 5 },
  );
});

test('the compute of a period is cpu_used_sec, and CU seconds rounded down', () => {
  const account = openFleet();
  for (const { cpu_used_sec, endpoints, consumption } of readTruth(account)) {
    const cuSeconds = endpoints.reduce((sum, { cu_seconds }) => sum + cu_seconds, 0);
    expect(consumption.total.compute_unit_seconds).toBe(Math.floor(cuSeconds));
    expect(cpu_used_sec).toBe(Math.floor(cuSeconds));
  }
  account.timeline.advanceTo(now + 9 * day);
  for (const { cpu_used_sec, cpu_used_sec_ever, consumption } of readTruth(account)) {
    expect(consumption.periods.at(-1)?.compute_unit_seconds ?? 0).toBe(cpu_used_sec);
    expect(consumption.total.compute_unit_seconds).toBe(cpu_used_sec_ever);
  }
});

test('advancing at once and in small steps with looks between come to the same truth of every hour', () => {
  const atOnce = openFleet();
  const stepwise = openFleet();
  for (const account of [atOnce, stepwise]) {
    for (const project of liveProjects(account)) {
      for (const endpoint of liveEndpoints(project)) connect(endpoint, 5000);
    }
  }
  atOnce.timeline.advanceTo(now + 5 * day);
  for (let second = now; second < now + 5 * day; second += 7777) {
    stepwise.timeline.advanceTo(second);
    describeTruth(stepwise);
  }
  stepwise.timeline.advanceTo(now + 5 * day);
  expect(describeTruth(stepwise)).toEqual(describeTruth(atOnce));
  expect(describeConsumption(stepwise, 'hourly')).toEqual(describeConsumption(atOnce, 'hourly'));
});

test('what is told only grows, and is all there is once the lag is over after the end of the hour', () => {
  const account = openFleet({}, 4, 0.2);
  const projects = [...account.projects.values()];
  const lag = 5000;
  const tellHours = (project: SimulatedProject) => byHour(tellAll(account, project, 'hourly'));
  let before = projects.map(tellHours);
  let finished = 0;
  for (let round = 0; round < 14; round += 1) {
    account.timeline.advanceTo(account.timeline.now + 1900);
    const after = projects.map(tellHours);
    const truth = describeConsumption(account, 'hourly').projects.map(({ periods }) => byHour(periods));
    for (const [index, hours] of before.entries()) {
      for (const [key, value] of hours) expect(after[index]?.get(key)).toBeGreaterThanOrEqual(value);
      for (const [key, value] of truth[index] ?? []) {
        const isOver = Date.parse(key.slice(0, 20)) / 1000 + 3600 + lag <= account.timeline.now;
        finished += isOver ? 1 : 0;
        if (isOver) expect(after[index]?.get(key)).toBe(value);
        else expect(after[index]?.get(key) ?? 0).toBeLessThanOrEqual(value);
      }
    }
    before = after;
  }
  expect(finished).toBeGreaterThan(100);
});

test.each([
  ['month', 1],
  ['hour', 31 * 24],
] as const)('bytes that stay for March are billed by the %s as %i times as many', (unit, factor) => {
  const account = openFleet({ unit }, 0, 0);
  const blueprint = drawProject(1, 'added', 0, 'paid', { profile: 'quiet', branches: 1 });
  const project = createProject(account, blueprint);
  account.timeline.advanceTo(Date.parse('2026-04-01T00:00:00Z') / 1000);
  const bytes = readMeter(account, project).checkpoint.storage.rootBytes;
  const [{ periods } = { periods: [] }] = describeConsumption(account, 'monthly').projects;
  const march = periods.filter(({ period_start }) => period_start === '2026-03-01T00:00:00Z');
  expect(addUp(march)).toMatchObject({ root_branch_bytes_month: bytes * factor });
});

test('a deleted project is billed up to its deletion and no further', () => {
  const account = openFleet();
  const [project] = liveProjects(account);
  if (project === undefined) throw new Error('there is a project');
  deleteProject(project);
  const atDeletion = describeConsumption(account, 'hourly').projects;
  account.timeline.advanceTo(now + 2 * day);
  const later = describeConsumption(account, 'hourly').projects;
  const of = (list: typeof later) => list.find(({ project_id }) => project_id === project.id);
  expect(addUp(of(later)?.periods ?? [])).toEqual(addUp(of(atDeletion)?.periods ?? []));
  expect(of(later)?.periods.at(-1)?.period_end).toBe('2026-02-26T10:20:30Z');
});

test('a plan that changes in mid-month parts the month, and nothing is lost or told twice', () => {
  const account = openFleet();
  const untouched = openFleet();
  changePlan(account, 'scale');
  for (const fleet of [account, untouched]) fleet.timeline.advanceTo(now + day);
  const parted = describeConsumption(account, 'daily').projects;
  const whole = describeConsumption(untouched, 'daily').projects;
  expect(parted.map(({ periods }) => addUp(periods))).toEqual(whole.map(({ periods }) => addUp(periods)));
  const [{ periods } = { periods: [] }] = parted;
  expect(periods.slice(-2)).toMatchObject([
    { period_plan: 'launch', period_end: '2026-02-26T11:00:00Z' },
    { period_plan: 'scale', period_start: '2026-02-26T11:00:00Z' },
  ]);
  const dayOfChange = '2026-02-26T00:00:00Z';
  for (const period of periods.slice(-2)) {
    expect(period.consumption.filter(({ timeframe_start }) => timeframe_start === dayOfChange)).toHaveLength(
      1,
    );
  }
});

test('time on the free plan is not billed', () => {
  const account = openFleet();
  changePlan(account, 'free');
  account.timeline.advanceTo(now + day);
  changePlan(account, 'launch');
  account.timeline.advanceTo(now + 2 * day);
  const hours = describeConsumption(account, 'hourly').projects.flatMap(({ periods }) =>
    periods.flatMap(({ consumption }) => consumption.map(({ timeframe_start }) => timeframe_start)),
  );
  const isFree = (start: string) => start >= '2026-02-26T11:00:00Z' && start < '2026-02-27T11:00:00Z';
  expect(hours.filter(isFree)).toEqual([]);
  expect(hours.some(start => start >= '2026-02-27T11:00:00Z')).toBe(true);
});

test('time with any endpoint awake is no longer than the hour, whatever the number of endpoints', () => {
  const account = openFleet({}, 12);
  for (const project of liveProjects(account)) {
    const { columns } = readMeter(account, project);
    const awake = liveEndpoints(project).map(({ stateSeconds }) => stateSeconds.get('active') ?? 0);
    const { firstHour, amounts } = columns.active_time_seconds;
    for (const seconds of amounts) expect(seconds).toBeLessThanOrEqual(3600);
    const all = sumOver(columns.active_time_seconds, firstHour, firstHour + amounts.length);
    for (const seconds of awake) expect(all).toBeGreaterThanOrEqual(seconds);
  }
});

test('an hour costs as much to work out on the hundredth day as on the first', () => {
  const account = openFleet({}, 0, 0);
  const project = createProject(account, drawProject(1, 'added', 0, 'paid', { profile: 'bursty' }));
  const { branches } = requireLater(project).meter;
  const values = branches.values.bind(branches);
  let looks = 0;
  branches.values = () => {
    looks += 1;
    return values();
  };
  const countLooks = () => {
    looks = 0;
    for (let hour = 0; hour < 48; hour += 1) {
      account.timeline.advanceTo(account.timeline.now + 3600);
      readMeter(account, project);
    }
    return looks;
  };
  const early = countLooks();
  account.timeline.advanceTo(now + 100 * day);
  readMeter(account, project);
  expect(countLooks()).toBe(early);
  expect(early).toBeGreaterThan(48);
});

interface BilledTruth {
  readonly cpu_used_sec: number;
  readonly cpu_used_sec_ever: number;
  readonly endpoints: readonly { readonly cu_seconds: number }[];
  readonly consumption: {
    readonly total: Readonly<Record<string, number>>;
    readonly periods: readonly Readonly<Record<string, number>>[];
  };
}

function readTruth(account: SimulatedAccount): readonly BilledTruth[] {
  return JSON.parse(JSON.stringify(describeTruth(account))).projects;
}

/** By instant and metric. */
function byHour(periods: Periods): Map<string, number> {
  return new Map(
    periods.flatMap(({ consumption }) =>
      consumption.flatMap(({ timeframe_start, metrics }) =>
        metrics.map(({ metric_name, value }) => [`${timeframe_start} ${metric_name}`, value] as const),
      ),
    ),
  );
}
