import { expect, test } from 'vitest';
import { ListEvidence } from '../../src/daemon/list-evidence.ts';
import { watchMeter } from '../../src/daemon/meter-watch.ts';
import type { PollProblem } from '../../src/poll/poller-options.ts';
import { collectors, optionalCollectors } from '../../src/resources/collector.ts';
import { hourMs, minuteMs } from '../../src/resources/duration.ts';
import { startSimulator } from '../../src/simulator/server.ts';
import { HistoryFolder, viewOf } from '../support/history-folder.ts';
import { canaryKey } from './open-daemon.ts';

const { signal } = new AbortController();

interface ToldProject {
  readonly periods: readonly {
    readonly consumption: readonly {
      readonly timeframe_end: string;
      readonly metrics: readonly { readonly metric_name: string; readonly value: number }[];
    }[];
  }[];
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

/** The most requests that were sent within any minute. */
function mostPerMinute(askedAt: readonly number[]): number {
  return Math.max(...askedAt.map(from => askedAt.filter(at => at >= from && at < from + minuteMs).length));
}

test('a fleet of several pages is read within ten requests a minute, and none is refused', async ({
  onTestFinished,
}) => {
  let now = Date.UTC(2026, 8, 14, 9, 25);
  const simulator = await startSimulator({
    apiKey: canaryKey,
    api: 'later',
    projects: 210,
    historyDays: 1,
    plan: 'paid',
    consumptionRatePerMinute: 10,
    wallClock: () => now,
  });
  onTestFinished(() => simulator.close());
  using folder = new HistoryFolder();
  const history = folder.open({ collectors: [...collectors, ...optionalCollectors] });
  const askedAt: number[] = [];
  const problems: PollProblem[] = [];
  const evidence = new ListEvidence(() => now);
  evidence.noteItem({ active_time: 1 });
  const account = {
    name: 'main',
    base_url: new URL(simulator.base_url),
    readApiKey: () => canaryKey,
    requestsPerMinute: 300,
    projects: { include: ['*'], exclude: [] },
  };
  const meter = {
    mode: 'auto',
    known: history.meterState('main'),
    commit: async (reading: Parameters<typeof history.commitOne>[0]) => {
      history.commitOne(reading);
      return history.meterState('main');
    },
    onRefused: (error: unknown) => problems.push({ collector: 'consumption', error }),
  } as const;
  const client = {
    base_url: simulator.base_url,
    readApiKey: () => canaryKey,
    userAgent: 'dbpm-exporter/test',
    now: () => now,
    // No time is waited for: the clock goes on.
    sleep: async (ms: number) => {
      now += Math.ceil(ms);
    },
    onAttempt: () => askedAt.push(now),
  };
  const onProblem = (problem: PollProblem) => problems.push(problem);
  const watch = watchMeter(meter, { account, evidence, now: () => now, onProblem, client });
  onTestFinished(() => watch.close());
  const end = { rejected: 0, complete: true };
  const listed = (async function* () {
    yield { items: [], servedAt: now, end };
  })();
  for await (const _ of evidence.follow(listed));

  await watch.poller.poll(signal);
  now += hourMs;
  await watch.poller.poll(signal);
  expect(problems).toEqual([]);
  expect(askedAt.length).toBeGreaterThanOrEqual(12);
  expect(mostPerMinute(askedAt)).toBeLessThanOrEqual(10);
  const told = await (await fetch(`${simulator.control_url}/truth/consumption?granularity=hourly`)).json();
  expect(viewOf(history, now).metered).toEqual(sumOver((told as { projects: ToldProject[] }).projects, now));
});
