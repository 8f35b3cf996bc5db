import { createServer } from 'node:http';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Pool } from 'undici';
import { writeHeaders } from '../../src/export/remote-write/write-request.ts';
import { findFreePort } from '../support/free-port.ts';
import { listenOnLoopback } from '../support/loopback-server.ts';
import { findPeer } from '../support/peer.ts';
import { startPeerProcess } from '../support/peer-process.ts';
import { startVictoriaMetrics, type VictoriaMetrics } from '../support/victoria-metrics.ts';
import type { BenchRun } from './bench-run.ts';
import { declareBenchmark, type Row } from './benchmark.ts';
import { writePastApart } from './fleet/past.ts';
import { median } from './percentile.ts';
import { runExporter } from './process/exporter.ts';

const dayMs = 86_400_000;
/** As many requests at the same time as the command has. */
const width = 4;

export const remoteWrite = declareBenchmark({
  name: 'remote-write',
  goal: 'The history sent as remote write, beside the same bodies posted alone.',
  sizes: {
    tiny: { projects: 5, days: 3, rounds: 1 },
    small: { projects: 100, days: 30, rounds: 3 },
    full: { projects: 100, days: 365, rounds: 3 },
  },
  async run({ projects, days, rounds }, run) {
    const file = join(run.openFolder(), 'dbpm.sqlite');
    const now = Date.now();
    await writePastApart(run, { file, projects, days, busyShare: 0.05, sampleIntervalMs: 600_000, now });
    const at = (instant: number) => new Date(instant).toISOString();
    const range = ['--from', at(now - (days - 1) * dayMs), '--to', at(now), '--step', '5m'];
    const metrics = ['dbpm_project_cpu_used_seconds_total', 'dbpm_endpoint_starts_total'];
    const argv = ['export', '--history.file', file, ...range, ...metrics.flatMap(name => ['--metric', name])];
    const sink = await startWriteSink(run);
    const samples = 2 * projects * ((days - 1) * 288 + 1);
    const send = (url: string) => measure(samples, () => runExporter([...argv, '--remote-write', url]));
    const replay = (url: string) => measure(samples, () => postAll(url, bodies));
    await runExporter([...argv, '--remote-write', sink.url]);
    const bodies = [...sink.bodies];
    const bytes = bodies.reduce((sum, body) => sum + body.length, 0);
    run.remark('Text is read and put together from the history alike: what lacks to the limit is that.');
    const rates: Record<'sent' | 'replayed' | 'text', number[]> = { sent: [], replayed: [], text: [] };
    for (let round = 0; round < rounds; round += 1) {
      rates.sent.push(await send(sink.url));
      rates.replayed.push(await replay(sink.url));
      rates.text.push(await measure(samples, () => runExporter([...argv, '--out', `${file}.om`, '--force'])));
      sink.bodies.length = 0;
    }
    return [
      { what: 'samples', value: samples, unit: '' },
      ...rate(
        'samples sent to a receiver that takes all at once',
        rates.sent,
        'the same bodies, posted alone',
        {
          of: 'value',
          atLeast: 300_000,
        },
      ),
      ...rate('the same bodies, posted alone', rates.replayed),
      ...rate('samples written as text', rates.text),
      { what: 'a sample', value: bytes / samples, unit: 'bytes', goal: { of: 'value', atMost: 8 } },
      ...(await measureVictoria(run, { bodies, samples, send, replay, rounds })),
    ];
  },
});

interface VictoriaRun {
  readonly bodies: readonly Buffer[];
  readonly samples: number;
  readonly send: (url: string) => Promise<number>;
  readonly replay: (url: string) => Promise<number>;
  readonly rounds: number;
}

async function measureVictoria(
  run: BenchRun,
  { bodies, samples, send, replay, rounds }: VictoriaRun,
): Promise<readonly Row[]> {
  const binary = findPeer('victoria-metrics');
  if (binary === undefined) {
    run.remark('skipped: victoria-metrics not found (Debian package victoria-metrics)');
    return [];
  }
  const victoria = await startVictoriaMetrics(binary);
  run.onEnd(() => victoria.close());
  const vmagent = await startVmagent(run, victoria);
  const rates: Record<'sent' | 'replayed' | 'passedOn', number[]> = { sent: [], replayed: [], passedOn: [] };
  for (let round = 0; round < rounds; round += 1) {
    rates.sent.push(await send(victoria.writeUrl));
    rates.replayed.push(await replay(victoria.writeUrl));
    if (vmagent !== undefined) rates.passedOn.push(await measure(samples, () => vmagent(bodies, samples)));
  }
  return [
    ...rate('samples sent to VictoriaMetrics', rates.sent, 'the same bodies, posted to VictoriaMetrics'),
    ...rate('the same bodies, posted to VictoriaMetrics', rates.replayed),
    ...(vmagent === undefined ? [] : rate('the same bodies, replayed by vmagent', rates.passedOn)),
  ];
}

/** @returns what posts bodies to a vmagent and waits until it has passed all of their samples on. */
async function startVmagent(run: BenchRun, victoria: VictoriaMetrics) {
  const binary = findPeer('vmagent');
  if (binary === undefined) {
    run.remark('skipped: vmagent not found (Debian package victoria-metrics)');
    return undefined;
  }
  const address = `127.0.0.1:${await findFreePort()}`;
  const args = [
    `-httpListenAddr=${address}`,
    `-remoteWrite.url=${victoria.writeUrl}`,
    `-remoteWrite.tmpDataPath=${run.openFolder()}`,
    '-loggerLevel=ERROR',
  ];
  const { url, stop } = await startPeerProcess('vmagent', binary, args, address);
  run.onEnd(stop);
  return async (bodies: readonly Buffer[], samples: number) => {
    const before = await victoria.countTaken();
    await postAll(`${url}/api/v1/write`, bodies);
    while ((await victoria.countTaken()) - before < samples) await sleep(20);
  };
}

function rate(what: string, rates: readonly number[], ratioTo?: string, goal?: Row['goal']): readonly Row[] {
  return [
    { what, value: median(rates), unit: 'samples/s', ...(ratioTo && { ratioTo }), ...(goal && { goal }) },
  ];
}

/** Samples a second. */
async function measure(samples: number, work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return samples / ((performance.now() - startedAt) / 1000);
}

/** A receiver on loopback that takes all at once, and keeps the bodies as they came. */
async function startWriteSink(run: BenchRun) {
  const bodies: Buffer[] = [];
  const server = createServer(async (request, response) => {
    const pieces: Buffer[] = [];
    for await (const piece of request) pieces.push(piece);
    bodies.push(Buffer.concat(pieces));
    response.writeHead(204).end();
  });
  const { url, close } = await listenOnLoopback(server);
  run.onEnd(close);
  return { url: `${url}/api/v1/write`, bodies };
}

/** As fast as they are taken. */
async function postAll(url: string, bodies: readonly Buffer[]): Promise<void> {
  const { origin, pathname: path } = new URL(url);
  const pool = new Pool(origin, { connections: width });
  const rest = bodies.values();
  const post = async () => {
    for (const body of rest) {
      const { statusCode, body: answer } = await pool.request({
        method: 'POST',
        path,
        headers: writeHeaders,
        body,
      });
      await answer.dump();
      if (statusCode !== 204) throw new Error(`${url} answered ${statusCode}`);
    }
  };
  await Promise.all(Array.from({ length: width }, post));
  await pool.close();
}
