import { expect, test } from 'vitest';
import type { Account } from '../../src/config/config.ts';
import type { Period } from '../../src/cost/calendar/calendar.ts';
import { showAmount } from '../../src/cost/money/money.ts';
import { sumLines } from '../../src/cost/rating/cost-line.ts';
import { createCosting } from '../../src/cost/rating/costing.ts';
import { ListEvidence } from '../../src/daemon/list-evidence.ts';
import { watchMeter } from '../../src/daemon/meter-watch.ts';
import type { History } from '../../src/history/history.ts';
import { readReportHistories } from '../../src/history/merge/report-reading.ts';
import type { PollProblem } from '../../src/poll/poller-options.ts';
import { collectors, optionalCollectors } from '../../src/resources/collector.ts';
import { dayMs, hourMs, minuteMs } from '../../src/resources/duration.ts';
import { type MeterMetric, meterMetrics } from '../../src/resources/meter.ts';
import type { PriceBook } from '../../src/resources/price-book.ts';
import { type SimulatorOptions, startSimulator } from '../../src/simulator/server.ts';
import { HistoryFolder, viewOf } from '../support/history-folder.ts';
import { projectsReading } from '../support/reading-builder.ts';
import { canaryKey, type OnTestFinished } from './open-daemon.ts';

const beganAt = Date.UTC(2026, 8, 14, 9, 25);
const withMeter = { collectors: [...collectors, ...optionalCollectors] };
const { signal } = new AbortController();

/** Storage and transfer at 10^9 a GB, and branches at one. */
const unitBook: PriceBook = {
  displayCurrency: 'USD',
  billingPeriod: { kind: 'month', anchorDay: 1 },
  exchangeRates: [],
  plans: [
    {
      ...{ name: 'all', match: {}, currency: 'USD' },
      prices: [{ fromAt: 0, perComputeHour: '1', discountPercent: '0' }],
      metered: meterMetrics.flatMap(metric =>
        metric === 'compute_unit_seconds'
          ? []
          : [{ name: metric, metric, prices: [{ price: priceOf(metric), discountPercent: '0' }] }],
      ),
    },
  ],
};

function priceOf(metric: MeterMetric): string {
  return metric === 'extra_branches_month' ? '1' : '1000000000';
}

interface ToldProject {
  readonly project_id: string;
  readonly periods: readonly {
    readonly consumption: readonly {
      readonly timeframe_end: string;
      readonly metrics: readonly { readonly metric_name: string; readonly value: number }[];
    }[];
  }[];
}

/** A simulated service of a later version on a clock of its own, and a history that follows its meter. */
async function openWorld(onTestFinished: OnTestFinished, options: Partial<SimulatorOptions> = {}) {
  const world = { now: beganAt };
  const simulator = await startSimulator({
    apiKey: canaryKey,
    api: 'later',
    projects: 4,
    historyDays: 20,
    plan: 'paid',
    wallClock: () => world.now,
    ...options,
  });
  onTestFinished(() => simulator.close());
  const folder = new HistoryFolder();
  onTestFinished(() => folder[Symbol.dispose]());
  const askedAt: number[] = [];
  const problems: PollProblem[] = [];
  const account: Account = {
    name: 'main',
    base_url: new URL(simulator.base_url),
    readApiKey: () => canaryKey,
    requestsPerMinute: 300,
    projects: { include: ['*'], exclude: [] },
  };
  let history = folder.open(withMeter);
  const open = (over: History) => {
    const evidence = new ListEvidence(() => world.now);
    evidence.noteItem({ active_time: 1 });
    const now = () => world.now;
    const watch = watchMeter(
      account,
      {
        mode: 'auto',
        known: over.meterState('main'),
        commit: async reading => {
          over.commitOne(reading);
          return over.meterState('main');
        },
        onRefused: error => problems.push({ collector: 'consumption', error }),
      },
      {
        evidence,
        now,
        onProblem: problem => problems.push(problem),
        client: {
          base_url: simulator.base_url,
          readApiKey: () => canaryKey,
          userAgent: 'dbpm-exporter/test',
          now,
          // Nobody waits: the clock goes on.
          sleep: async ms => {
            world.now += Math.ceil(ms);
          },
          onAttempt: () => askedAt.push(world.now),
        },
      },
    );
    const listed = (async function* () {
      yield { items: [], servedAt: world.now, end: { rejected: 0, complete: true } };
    })();
    return { watch, isReady: drain(evidence.follow(listed)) };
  };
  let meter = open(history);
  const control = async (method: string, path: string, body?: object) => {
    const init = {
      method,
      headers: { 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    };
    const response = await fetch(simulator.control_url + path, init);
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
    return response.json();
  };
  const tellTruth = async (): Promise<readonly ToldProject[]> => {
    const told = (await control('GET', '/truth/consumption?granularity=hourly')) as {
      projects: ToldProject[];
    };
    return told.projects;
  };
  onTestFinished(() => meter.watch.close());
  return {
    world,
    askedAt,
    problems,
    control,
    tellTruth,
    async poll() {
      await meter.isReady;
      await meter.watch.poller.poll(signal);
    },
    async kill() {
      await meter.watch.close();
      history = folder.reopen(history, withMeter);
      meter = open(history);
      await meter.isReady;
    },
    view: () => viewOf(history, world.now),
    /** What is billed of each metric in a stretch of time, by the price book: a unit of the meter costs one each. */
    billed: (period: Period) =>
      readReportHistories(
        [folder.file],
        known => known,
        ({ usage }) => {
          const lines = [...createCosting({ book: unitBook, ledger: usage }).usageLines(period)];
          const compute = lines.reduce((sum, { billedCuMs }) => sum + billedCuMs, 0) / 1000;
          const things = Map.groupBy(
            lines.filter(({ kind }) => kind === 'metered'),
            ({ name = '' }) => name,
          );
          const sums = [...things].map(
            ([name, own]) => [name, Number(showAmount(sumLines(own).amount, 3))] as const,
          );
          return Object.fromEntries([['compute_unit_seconds', compute] as const, ...sums]);
        },
      ),
    list: (ids: readonly string[]) =>
      history.commitOne(
        projectsReading(
          world.now,
          ids.map(id => ({ id })),
        ),
      ),
  };
}

async function drain(pages: AsyncIterable<unknown>): Promise<void> {
  for await (const _ of pages);
}

/** What the hours that are over come to, by metric. */
function sumOver(projects: readonly ToldProject[], now: number): Readonly<Record<string, number>> {
  const sum: Record<string, number> = {};
  const frames = projects.flatMap(({ periods }) => periods.flatMap(({ consumption }) => consumption));
  for (const { timeframe_end, metrics } of frames) {
    if (Date.parse(timeframe_end) > now) continue;
    for (const { metric_name, value } of metrics) sum[metric_name] = (sum[metric_name] ?? 0) + value;
  }
  return sum;
}

/** What hours that end within a stretch come to, by metric; what is nothing is left out. */
function sumWithin(projects: readonly ToldProject[], { fromAt, untilAt }: Period) {
  const [after, before] = [sumOver(projects, untilAt), sumOver(projects, fromAt)];
  const grown = Object.entries(after).map(([metric, sum]) => [metric, sum - (before[metric] ?? 0)] as const);
  return Object.fromEntries(grown.filter(([, sum]) => sum > 0));
}

/** The most requests that were sent within any minute. */
function mostPerMinute(askedAt: readonly number[]): number {
  return Math.max(...askedAt.map(from => askedAt.filter(at => at >= from && at < from + minuteMs).length));
}

test('over a quarter with kills, an outage of three days and another plan in mid-month, every metered figure is the true one', async ({
  onTestFinished,
}) => {
  const { world, askedAt, problems, control, tellTruth, poll, kill, view, list, billed } =
    await openWorld(onTestFinished);
  const check = async () => {
    const truth = await tellTruth();
    list(truth.map(({ project_id }) => project_id));
    const { metered, projects } = view();
    expect(metered).toEqual(sumOver(truth, world.now));
    for (const told of truth) {
      const shown = projects.find(({ project_id }) => project_id === told.project_id);
      expect(shown?.metered ?? {}, told.project_id).toEqual(sumOver([told], world.now));
    }
  };
  await poll();
  await check();
  for (let day = 0; day < 90; day += 1) {
    if (day === 20) world.now += 3 * dayMs;
    if (day === 33) await control('POST', '/plan', { plan: 'scale' });
    if (day === 40) await control('POST', '/projects', { name: 'late', branches: 12 });
    if (day % 9 === 0) await kill();
    for (let hour = 0; hour < 24; hour += 12) {
      world.now += 12 * hourMs;
      await poll();
    }
    if (day === 50) {
      const [first] = await tellTruth();
      await control('DELETE', `/projects/${first?.project_id}`);
    }
  }
  world.now += hourMs;
  await poll();
  expect(problems).toEqual([]);
  const truth = sumOver(await tellTruth(), world.now);
  expect(view().metered).toEqual(truth);
  expect(Object.keys(truth).length).toBeGreaterThan(5);
  // Months that are over are billed to the unit, the one with the other plan and the one after an outage among them.
  const told = await tellTruth();
  for (const month of [9, 10]) {
    const period = { fromAt: Date.UTC(2026, month), untilAt: Date.UTC(2026, month + 1) };
    expect(billed(period)).toEqual(sumWithin(told, period));
  }
  expect(problems).toEqual([]);
  expect(mostPerMinute(askedAt)).toBeLessThanOrEqual(10);
}, 60_000);

test('a fleet of several pages is read within ten requests a minute, and none is refused', async ({
  onTestFinished,
}) => {
  const { world, askedAt, problems, poll, view, tellTruth } = await openWorld(onTestFinished, {
    projects: 210,
    historyDays: 1,
    consumptionRatePerMinute: 10,
  });
  await poll();
  world.now += hourMs;
  await poll();
  expect(problems).toEqual([]);
  expect(askedAt.length).toBeGreaterThanOrEqual(12);
  expect(mostPerMinute(askedAt)).toBeLessThanOrEqual(10);
  expect(view().metered).toEqual(sumOver(await tellTruth(), world.now));
});
