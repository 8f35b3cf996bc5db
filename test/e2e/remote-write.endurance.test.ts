import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { ExportHistory } from '../../src/export/backfill/export-history.ts';
import { layInstants, listInstants } from '../../src/resources/backfill.ts';
import { catalog } from '../../src/resources/catalog.ts';
import { writePast } from '../bench/fleet/past.ts';
import { describeWithPeers } from '../support/peer.ts';
import { type Prometheus, startPrometheus } from '../support/prometheus.ts';
import { usualUsage } from '../support/usage-options.ts';
import { startVictoriaMetrics, type VictoriaMetrics } from '../support/victoria-metrics.ts';

/** How many projects have all that is watched sent: 100 for `npm run endurance`. */
const wholeProjects = Number(process.env.REMOTE_WRITE_PROJECTS ?? 1);

vi.setConfig({ testTimeout: 240_000 * wholeProjects });

const main = new URL('../../bin/dbpm-exporter.cjs', import.meta.url).pathname;
const dayMs = 86_400_000;
const stepMs = 300_000;
const untilAt = Date.UTC(2026, 10, 20, 12);
const projects = 100;
const used = 'dbpm_project_cpu_used_seconds_total';

const folder = mkdtempSync(join(tmpdir(), 'dbpm-remote-write-'));
const file = join(folder, 'dbpm.sqlite');
const resume = join(folder, 'resume.json');
beforeAll(() => {
  const past = { days: 365, busyShare: 0.05, now: untilAt, sampleIntervalMs: 600_000 };
  writePast({ ...past, file, projects });
  writePast({ ...past, file: whole, projects: wholeProjects });
});
afterAll(() => rmSync(folder, { recursive: true }));

const whole = join(folder, 'whole.sqlite');

interface Sent {
  readonly url: string;
  readonly days: number;
  /** Names of metrics; all where there is none. */
  readonly metrics: readonly string[];
  readonly history?: string;
}

function startSending({ url, days, metrics, history = file }: Sent): ChildProcess {
  const at = (instant: number) => new Date(instant).toISOString();
  const range = ['--from', at(untilAt - days * dayMs), '--to', at(untilAt), '--step', '5m'];
  const chosen = metrics.flatMap(metric => ['--metric', metric]);
  const target = ['--remote-write', url, '--resume', resume];
  return spawn(process.execPath, [main, 'export', '--history.file', history, ...range, ...chosen, ...target]);
}

async function readEnd(sending: ChildProcess) {
  const printed = { stdout: '', stderr: '' };
  for (const stream of ['stdout', 'stderr'] as const)
    sending[stream]?.on('data', piece => {
      printed[stream] += piece;
    });
  const [exitCode] = await once(sending, 'close');
  return { exitCode, ...printed };
}

/** Sends all; the first run is killed when a third of the time has been taken. */
async function sendBrokenOff(sent: Sent) {
  const first = startSending(sent);
  const thirdAt = untilAt - (sent.days * dayMs * 2) / 3;
  while ((readStanding()?.sentUntil ?? 0) < thirdAt) {
    expect(first.exitCode).toBe(null);
    await sleep(20);
  }
  first.kill('SIGKILL');
  await once(first, 'close');
  expect(readStanding()?.sentUntil).toBeLessThan(untilAt);
  return readEnd(startSending(sent));
}

function readStanding(): { readonly sentUntil?: number } | undefined {
  try {
    return JSON.parse(readFileSync(resume, 'utf8'));
  } catch {
    return undefined;
  }
}

/** The series of the history as they are read at once, without stretches; each with its value at every instant. */
function* readHistory({ days, metrics, history = file }: Omit<Sent, 'url'>) {
  using source = new ExportHistory([history]);
  const labels = { job: 'dbpm', instance: 'localhost:10062' };
  const read = source.prepare({
    groups: catalog,
    metrics,
    labels,
    usage: usualUsage,
    staleAfterMs: 45 * dayMs,
  });
  const row = layInstants(untilAt - days * dayMs, untilAt, stepMs);
  const instants = [...listInstants(row)];
  for (const { track } of read([row])) {
    if (track === undefined) continue;
    const runs = [...track.runs(instants.length)];
    for (const [position, { name, labels }] of track.series.entries()) {
      const values = new Map<number, number>();
      for (const { fromIndex, untilIndex, values: all } of runs)
        for (let index = fromIndex; index < untilIndex; index += 1)
          values.set(instants[index] ?? 0, all[position] ?? Number.NaN);
      if (values.size > 0) yield { name, labels: Object.fromEntries(labels), values };
    }
  }
}

function selectorOf(name: string, labels: Readonly<Record<string, string>>): string {
  return `${name}{${Object.entries(labels).map(([label, value]) => `${label}=${JSON.stringify(value)}`)}}`;
}

/** Instants at which a receiver has another value than the history, or none, or one too many. */
function findDifferences(expected: ReadonlyMap<number, number>, found: ReadonlyMap<number, number>) {
  const instants = [...new Set([...expected.keys(), ...found.keys()])];
  return instants
    .filter(at => !found.has(at) || found.get(at) !== expected.get(at))
    .map(at => ({ at: new Date(at).toISOString(), expected: expected.get(at), found: found.get(at) }));
}

describeWithPeers(['victoria-metrics'], 'a VictoriaMetrics that is sent a year', peers => {
  let victoria: VictoriaMetrics;
  beforeAll(async () => {
    victoria = await startVictoriaMetrics(peers['victoria-metrics']);
  });
  afterAll(() => victoria?.close());

  test('has every sample of the history once, also when the sending was killed on the way', async () => {
    const what = { days: 364, metrics: [used] };
    const { exitCode, stdout, stderr } = await sendBrokenOff({ ...what, url: victoria.writeUrl });
    expect({ exitCode, stderr }).toEqual({
      exitCode: 0,
      stderr: expect.stringMatching(/^note: it goes on where an earlier run ended, at .+\n$/),
    });
    const samples = projects * (364 * 288 + 1);
    expect(stdout).toMatch(new RegExp(`^sent ${samples} samples from `));
    await victoria.flush();
    let compared = 0;
    for (const { name, labels, values } of readHistory(what)) {
      const [series, ...more] = await victoria.exportRaw(selectorOf(name, labels));
      expect(more).toEqual([]);
      expect(series?.metric).toEqual({ __name__: name, ...labels });
      // Samples that were sent twice are there twice until they are merged.
      const found = new Map(series?.timestamps.map((at, index) => [at, series.values[index] ?? Number.NaN]));
      expect(findDifferences(values, found)).toEqual([]);
      compared += values.size;
    }
    expect(compared).toBe(samples);
  });
});

/** All metrics but use and cost: each view of these takes long to work out. */
const watched = [
  ...['dbpm_account_cpu_*', 'dbpm_project_info', 'dbpm_project_cpu_used_*', 'dbpm_project_created_*'],
  ...['dbpm_endpoint_info', 'dbpm_endpoint_st*', 'dbpm_endpoint_suspend*', 'dbpm_operation*'],
];

/** VictoriaMetrics keeps twelve digits of a value, or more. */
function isKept(value: number, kept: number | null | undefined): boolean {
  return typeof kept === 'number' && Math.abs(kept - value) <= 1e-12 * Math.abs(value);
}

describeWithPeers(
  ['victoria-metrics'],
  `a VictoriaMetrics that is sent all that is watched of ${wholeProjects} ${wholeProjects === 1 ? 'project' : 'projects'} for a year`,
  peers => {
    let victoria: VictoriaMetrics;
    beforeAll(async () => {
      victoria = await startVictoriaMetrics(peers['victoria-metrics']);
    });
    afterAll(() => victoria?.close());

    test('has every sample of each series, and none besides', async () => {
      const what = { days: 364, metrics: watched, history: whole };
      const { exitCode } = await readEnd(startSending({ ...what, url: victoria.writeUrl }));
      expect(exitCode).toBe(0);
      await victoria.flush();
      const names = new Set<string>();
      let compared = 0;
      for (const { name, labels, values } of readHistory(what)) {
        names.add(name);
        // VictoriaMetrics has no labels without a value.
        const shown = Object.fromEntries(Object.entries(labels).filter(([, value]) => value !== ''));
        const all = await victoria.exportRaw(selectorOf(name, labels));
        const series = all.find(({ metric }) => Object.keys(metric).length === Object.keys(shown).length + 1);
        let taken = 0;
        for (const [index, at] of series?.timestamps.entries() ?? []) {
          const kept = series?.values[index];
          // The marker at the end of a series has no value.
          if (kept === null) continue;
          taken += 1;
          const value = values.get(at);
          if (value === undefined || !isKept(value, kept)) expect([name, shown, at, kept]).toEqual(value);
        }
        expect([name, shown, taken]).toEqual([name, shown, values.size]);
        compared += taken;
      }
      expect(names.size).toBeGreaterThan(10);
      expect(compared).toBeGreaterThan(2_000_000);
      if (wholeProjects > 1) console.log(`compared ${compared} samples of ${names.size} metrics`);
    });
  },
);

describeWithPeers(['prometheus'], 'a Prometheus that is sent a month', ({ prometheus: binary }) => {
  let prometheus: Prometheus;
  beforeAll(async () => {
    const config = { storage: { tsdb: { out_of_order_time_window: '400d' } } };
    const flags = ['--web.enable-remote-write-receiver'];
    prometheus = await startPrometheus(binary, {}, { config, flags });
  });
  afterAll(() => prometheus?.close());

  test('has every sample of the history once, also when the sending was killed on the way', async () => {
    const what = { days: 30, metrics: [used] };
    const { exitCode } = await sendBrokenOff({ ...what, url: `${prometheus.url}/api/v1/write` });
    expect(exitCode).toBe(0);
    let compared = 0;
    for (const { name, labels, values } of readHistory(what)) {
      const [series] = await prometheus.queryRaw(`${selectorOf(name, labels)}[31d]`, untilAt);
      expect(findDifferences(values, series?.values ?? new Map())).toEqual([]);
      compared += values.size;
    }
    expect(compared).toBe(projects * (30 * 288 + 1));
  });

  test('takes a year, too, where its window is as wide', async () => {
    const what = { days: 364, metrics: ['dbpm_endpoint_starts_total'], history: whole };
    expect(await readEnd(startSending({ ...what, url: `${prometheus.url}/api/v1/write` }))).toMatchObject({
      exitCode: 0,
    });
    const [{ name, labels, values } = { name: '', labels: {}, values: new Map() }] = readHistory(what);
    const [series] = await prometheus.queryRaw(`${selectorOf(name, labels)}[365d]`, untilAt);
    expect(findDifferences(values, series?.values ?? new Map())).toEqual([]);
    expect(values.size).toBe(364 * 288 + 1);
  });
});

describeWithPeers(
  ['prometheus'],
  'a Prometheus without a window for old samples',
  ({ prometheus: binary }) => {
    let prometheus: Prometheus;
    beforeAll(async () => {
      prometheus = await startPrometheus(binary, {}, { flags: ['--web.enable-remote-write-receiver'] });
    });
    afterAll(async () => {
      await prometheus?.close();
      rmSync(resume, { force: true });
    });

    test('refuses them, and it is said what to do', async () => {
      const sending = startSending({ url: `${prometheus.url}/api/v1/write`, days: 60, metrics: [used] });
      const { exitCode, stderr } = await readEnd(sending);
      expect(exitCode).toBe(1);
      expect(stderr).toMatch(
        /^dbpm-exporter: the receiver answers 400: it takes no samples as old as these: widen its window .* \(it says: .*out of .*\); .* samples that were sent were not taken; run it again to go on from the beginning\n$/,
      );
    });
  },
);
