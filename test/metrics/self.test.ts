import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { processFamilies } from '../../src/metrics/self/process-family.ts';
import type { SuccessionState } from '../../src/metrics/self/scrape-metrics.ts';
import { selfFamilies } from '../../src/metrics/self/self-family.ts';
import { SelfMetrics } from '../../src/metrics/self/self-metrics.ts';
import { collectors } from '../../src/resources/collector.ts';
import type { RequestPressure } from '../../src/resources/request-budget.ts';
import type { Shard } from '../../src/resources/shard.ts';
import { readExposition, sampleValue } from '../support/exposition-reader.ts';
import { listOpenMetricsProblems } from '../support/openmetrics-rules.ts';
import { describeWithPeers } from '../support/peer.ts';

const pressedSince = 1_767_225_600_500;
const pressure: RequestPressure = {
  demandPerMinute: 140.2,
  skippedListPolls: 0,
  lateIdle: 0,
  listPollIntervalMs: 12_500,
  listLagMs: 300_000,
  partialPolls: false,
};

function openSelf(succession?: SuccessionState, shard?: Shard) {
  return new SelfMetrics({
    ...(shard && { shard }),
    version: '1.2.3',
    revision: 'abc "def"',
    read: {
      historySizeBytes: () => 4096,
      budgets: () => [
        ['main', 300],
        ['second', 0],
      ],
      pauses: () => [['second', 1_767_229_200_500]],
      stalled: () => [
        ['main', false],
        ['second', true],
      ],
      pressures: () => [
        ['main', pressure],
        [
          'second',
          { ...pressure, oldestDueAt: pressedSince, skippedListPolls: 3, lateIdle: 4, partialPolls: true },
        ],
      ],
      succession: () => succession,
      loopDelay: () => ({ p99Seconds: 0.0125, maxSeconds: 0.25 }),
      lastPage: () => ({
        series: 200_000,
        missing: new Map([
          ['dbpm_project_info', 0],
          ['dbpm_operations_total', 250],
        ]),
        publishedAt: 1_767_225_690_250,
        durationMs: 12.5,
      }),
    },
  });
}

const readSelf = async (self: SelfMetrics) => readExposition(await self.render('text'));

describe('the metrics of the daemon about itself', () => {
  it('name the date of an account while it is not believed, and not at all otherwise', async () => {
    const self = openSelf();
    const name = selfFamilies.dateOffset.name;
    self.noteDate('main', 0);
    expect(await self.render('text')).not.toContain(name);
    self.noteDate('main', 60_500);
    self.noteDate('second', -1000);
    const samples = await readSelf(self);
    expect(sampleValue(samples, name, { account: 'main' })).toBe(60.5);
    expect(sampleValue(samples, name, { account: 'second' })).toBe(-1);
    self.noteDate('second', 0);
    expect((await readSelf(self)).filter(sample => sample.name === name)).toHaveLength(1);
    self.forgetDates();
    expect(await self.render('openmetrics')).not.toContain(name);
  });

  it('are declared with the type and help they are shown with', async () => {
    const self = openSelf({ isStandby: true, takeovers: 2 }, { index: 1, count: 3 });
    self.noteDate('main', 1000);
    const text = await self.render('text');
    for (const { name, type, help } of Object.values(selfFamilies)) {
      expect(text).toContain(`# HELP ${name} ${help}\n# TYPE ${name} ${type}\n`);
    }
  });

  it('tell a standby from an active daemon, with the takeovers, and neither where nobody waits', async () => {
    const names = ['dbpm_exporter_standby', 'dbpm_exporter_takeovers_total'];
    const read = async (succession?: SuccessionState) => {
      const samples = await readSelf(openSelf(succession));
      return names.map(name => sampleValue(samples, name));
    };
    expect(await read({ isStandby: true, takeovers: 2 })).toEqual([1, 2]);
    expect(await read({ isStandby: false, takeovers: 0 })).toEqual([0, 0]);
    expect(await read({ isStandby: true, takeovers: undefined })).toEqual([1, undefined]);
    expect(await read()).toEqual([undefined, undefined]);
    expect(await openSelf().render('text')).not.toContain('takeovers');
  });

  it('have those of the process that boards and rules rely on, typed as declared and without labels', async () => {
    const text = await openSelf().render('text');
    for (const { name, type } of Object.values(processFamilies)) {
      expect(text).toMatch(new RegExp(`^# TYPE ${name} ${type}\\n${name} [0-9.e+-]+$`, 'm'));
    }
  });

  it('tell version, history size, budgets and the configuration', async () => {
    const samples = await readSelf(openSelf());
    const build = { version: '1.2.3', revision: 'abc "def"', node_version: process.version };
    expect(sampleValue(samples, 'dbpm_exporter_build_info', build)).toBe(1);
    expect(sampleValue(samples, 'dbpm_exporter_history_size_bytes')).toBe(4096);
    expect(sampleValue(samples, 'dbpm_exporter_request_budget_per_minute', { account: 'main' })).toBe(300);
    expect(sampleValue(samples, 'dbpm_exporter_request_budget_per_minute', { account: 'second' })).toBe(0);
    expect(sampleValue(samples, 'dbpm_exporter_history_write_failures_total')).toBe(0);
    expect(sampleValue(samples, 'dbpm_exporter_config_last_reload_successful')).toBe(1);
  });

  it('tell which accounts are not polled any more', async () => {
    const name = 'dbpm_exporter_polling_stalled';
    const shown = (await readSelf(openSelf())).filter(sample => sample.name === name);
    expect(shown.map(({ labels, value }) => [labels.account, value])).toEqual([
      ['main', 0],
      ['second', 1],
    ]);
  });

  it('tell how the event loop and the page are', async () => {
    const samples = await readSelf(openSelf());
    expect(sampleValue(samples, 'dbpm_exporter_event_loop_delay_p99_seconds')).toBe(0.0125);
    expect(sampleValue(samples, 'dbpm_exporter_event_loop_delay_max_seconds')).toBe(0.25);
    expect(sampleValue(samples, 'dbpm_exporter_published_series')).toBe(200_000);
    expect(sampleValue(samples, 'dbpm_exporter_published_timestamp_seconds')).toBe(1_767_225_690.25);
    expect(sampleValue(samples, 'dbpm_exporter_publish_duration_seconds')).toBe(0.0125);
  });

  it('tell what a limit keeps off the page, of each metric that has one', async () => {
    const name = 'dbpm_exporter_series_dropped';
    const dropped = (await readSelf(openSelf())).filter(sample => sample.name === name);
    expect(dropped.map(({ labels, value }) => [labels.family, value])).toEqual([
      ['dbpm_project_info', 0],
      ['dbpm_operations_total', 250],
    ]);
  });

  it('know nothing of routes that are not asked', async () => {
    const self = openSelf();
    self.requestCounter('main', ['projects', 'endpoints']);
    const counted = (await readSelf(self)).filter(({ name }) => name === 'dbpm_exporter_api_requests_total');
    expect([...new Set(counted.map(({ labels }) => labels.route))]).toEqual([
      '/projects',
      '/projects/{project_id}/endpoints',
    ]);
  });

  it('tell how hard each budget is pressed, with no sample for what has no value', async () => {
    const samples = await readSelf(openSelf());
    const shown = (name: string) =>
      samples
        .filter(sample => sample.name === `dbpm_exporter_${name}`)
        .map(({ labels, value }) => [...Object.values(labels), value]);
    expect(shown('request_demand_per_minute')).toEqual([
      ['main', 140.2],
      ['second', 140.2],
    ]);
    expect(shown('oldest_due_timestamp_seconds')).toEqual([['second', 1_767_225_600.5]]);
    expect(shown('work_skipped_total')).toEqual([
      ['main', 'sweep', 0],
      ['main', 'idle_reading', 0],
      ['second', 'sweep', 3],
      ['second', 'idle_reading', 4],
    ]);
    expect(shown('sweep_interval_seconds')).toEqual([
      ['main', 12.5],
      ['second', 12.5],
    ]);
    expect(shown('list_lag_seconds')).toEqual([
      ['main', 300],
      ['second', 300],
    ]);
    expect(shown('light_readings')).toEqual([
      ['main', 0],
      ['second', 1],
    ]);
  });

  it('say until when the service wants an account left alone, and of the others nothing', async () => {
    const name = 'dbpm_account_paused_until_timestamp_seconds';
    const shown = (await readSelf(openSelf())).filter(sample => sample.name === name);
    expect(shown.map(({ labels, value }) => [labels.account, value])).toEqual([['second', 1_767_229_200.5]]);
  });

  it('count requests from 0, every outcome of every route', async () => {
    const self = openSelf();
    const count = self.requestCounter('main', collectors);
    const name = 'dbpm_exporter_api_requests_total';
    const born = (await readSelf(self)).filter(sample => sample.name === name);
    expect(born.map(({ value }) => value)).toEqual(Array.from({ length: 5 * 13 }, () => 0));
    count({ route: '/projects', outcome: 'ok', durationMs: 40 });
    count({ route: '/projects', outcome: 'rate_limited', durationMs: 2000 });
    const samples = await readSelf(self);
    const outcome = (word: string) =>
      sampleValue(samples, name, { account: 'main', route: '/projects', outcome: word });
    expect([outcome('ok'), outcome('rate_limited'), outcome('timeout')]).toEqual([1, 1, 0]);
    const took = 'dbpm_exporter_api_request_duration_seconds';
    expect(sampleValue(samples, `${took}_sum`, { route: '/projects' })).toBeCloseTo(2.04);
    expect(sampleValue(samples, `${took}_bucket`, { route: '/projects', le: '1.0' })).toBe(1);
    expect(sampleValue(samples, `${took}_bucket`, { route: '/projects', le: '+Inf' })).toBe(2);
  });

  it('keep the rules of OpenMetrics, end mark included, and stay the same in text afterwards', async () => {
    const self = openSelf();
    self.requestCounter('main', collectors)({ route: '/projects', outcome: 'ok', durationMs: 40 });
    const before = await self.render('text');
    expect(listOpenMetricsProblems(await self.render('openmetrics'))).toEqual([]);
    const headers = (text: string) => text.split('\n').filter(line => line.startsWith('#'));
    expect(headers(await self.render('text'))).toEqual(headers(before));
    expect(before).not.toContain('# EOF');
  });

  it('are not doubled by scrapes at the same time', async () => {
    const self = openSelf();
    self.historyWriteFailures.inc();
    const texts = await Promise.all([self.render('text'), self.render('openmetrics'), self.render('text')]);
    for (const text of texts) {
      expect(sampleValue(readExposition(text), 'dbpm_exporter_history_write_failures_total')).toBe(1);
    }
  });
});

describeWithPeers(['promtool'], 'promtool', ({ promtool }) => {
  it('finds nothing in the metrics of the daemon about itself', async () => {
    const self = openSelf();
    self.requestCounter('main', collectors)({ route: '/projects', outcome: 'ok', durationMs: 40 });
    const input = await self.render('text');
    expect(execFileSync(promtool, ['check', 'metrics'], { input, encoding: 'utf8', stdio: 'pipe' })).toBe('');
  });
});
