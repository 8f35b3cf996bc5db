import { execFile } from 'node:child_process';
import { copyFileSync, createReadStream, createWriteStream, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { storedBytesPerSample } from '../../src/check/plan/shard-plan.ts';
import { hash } from '../../src/simulator/model/random.ts';
import { LivedHistory } from '../support/lived-history.ts';
import { findPeer } from '../support/peer.ts';
import { startVictoriaMetrics } from '../support/victoria-metrics.ts';
import type { BenchRun } from './bench-run.ts';
import { declareBenchmark, type Row } from './benchmark.ts';
import { serveTasks, startChild } from './process/child.ts';
import { runExporter } from './process/exporter.ts';

const begin = Date.UTC(2026, 9, 5) / 1000;
const execute = promisify(execFile);
/** The most that a late scrape is late. */
const latestMs = 20;

/** The same samples, taken on time and late. */
interface Written {
  readonly onTime: string;
  readonly late: string;
  readonly samples: number;
}

export const storedSample = declareBenchmark({
  name: 'stored-sample',
  goal: 'A day of what a daemon shows, a sample every 30 s, as engines keep it with its index.',
  sizes: {
    tiny: { projects: 2, hours: 2 },
    small: { projects: 5, hours: 24 },
    full: { projects: 20, hours: 24 },
  },
  async run({ projects, hours }, run) {
    const written = await writeSamples(run, projects, hours);
    run.remark('Samples are as `export` writes them: of all that it can tell of the past.');
    run.remark(
      `Late scrapes are so by up to ${latestMs} ms. What is late by 2 ms or less Prometheus writes down as on time.`,
    );
    run.remark('What an engine keeps of the last hours in memory and in a log of writes comes besides.');
    return [...(await measurePrometheus(run, written)), ...(await measureVictoria(run, written))];
  },
});

async function writeSamples(run: BenchRun, projects: number, hours: number): Promise<Written> {
  const folder = run.openFolder();
  const pathOf = (name: string) => join(folder, name);
  const file = pathOf('dbpm.sqlite');
  const day = startChild<typeof tasks>(run, import.meta.url);
  await day.ask('live', { file, projects, hours });
  await day.stop();
  const [onTime, late] = [pathOf('on-time.om'), pathOf('late.om')];
  const at = (seconds: number) => new Date(seconds * 1000).toISOString();
  const range = ['--from', at(begin), '--to', at(begin + hours * 3600), '--step', '30s'];
  const argv = ['export', '--history.file', file, ...range, '--out', onTime];
  await runExporter(argv);
  let samples = 0;
  await rewrite(onTime, late, (sample, at) => {
    samples += 1;
    // All samples of a scrape are late by as much.
    return `${sample} ${at + (hash(at) % (latestMs + 1)) / 1000}`;
  });
  return { onTime, late, samples };
}

/** Writes a text of samples anew, line by line; comments stay as they are. */
async function rewrite(
  text: string,
  file: string,
  change: (sample: string, at: number) => string,
): Promise<void> {
  await pipeline(async function* () {
    let lines = '';
    for await (const line of createInterface({ input: createReadStream(text) })) {
      const cut = line.lastIndexOf(' ');
      lines += `${line.startsWith('#') ? line : change(line.slice(0, cut), Number(line.slice(cut)))}\n`;
      if (lines.length < 65_536) continue;
      yield lines;
      lines = '';
    }
    yield lines;
  }, createWriteStream(file));
}

async function measurePrometheus(run: BenchRun, { samples, ...texts }: Written): Promise<readonly Row[]> {
  const promtool = findPeer('promtool');
  if (promtool === undefined) {
    run.remark('skipped: promtool not found (Debian package prometheus)');
    return [];
  }
  const weigh = async (text: string) => {
    const folder = run.openFolder();
    // As long as the blocks that Prometheus makes of its own two hours.
    const made = ['--quiet', '--max-block-duration=18h', 'openmetrics', text, folder];
    await execute(promtool, ['tsdb', 'create-blocks-from', ...made]);
    const files = readdirSync(folder, { recursive: true, withFileTypes: true });
    return files.reduce(
      (sum, each) => sum + (each.isFile() ? statSync(join(each.parentPath, each.name)).size : 0),
      0,
    );
  };
  return compare('Prometheus', storedBytesPerSample.prometheus, [
    (await weigh(texts.onTime)) / samples,
    (await weigh(texts.late)) / samples,
  ]);
}

async function measureVictoria(run: BenchRun, { samples, ...texts }: Written): Promise<readonly Row[]> {
  const binary = findPeer('victoria-metrics');
  if (binary === undefined) {
    run.remark('skipped: victoria-metrics not found (Debian package victoria-metrics)');
    return [];
  }
  const weigh = async (text: string) => {
    const victoria = await startVictoriaMetrics(binary);
    run.onEnd(() => victoria.close());
    const file = `${text}.ms`;
    await rewrite(text, file, (sample, at) => `${sample} ${Math.round(at * 1000)}`);
    await victoria.importText(file);
    return (await victoria.mergedBytes()) / samples;
  };
  return compare('VictoriaMetrics', storedBytesPerSample.victoriametrics, [
    await weigh(texts.onTime),
    await weigh(texts.late),
  ]);
}

function compare(engine: string, atMost: number, [onTime, late]: readonly [number, number]): readonly Row[] {
  const unit = 'bytes/sample';
  return [
    { what: `${engine}, scraped on time`, value: onTime, unit },
    { what: `${engine}, scraped late`, value: late, unit, goal: { of: 'value', atMost } },
  ];
}

interface Day {
  readonly file: string;
  readonly projects: number;
  readonly hours: number;
}

/** Writes the history of a simulated fleet, a week old, that was watched for some hours: its list twice a minute. */
function live({ file, projects, hours }: Day): void {
  using life = new LivedHistory({ now: begin, projects, historyDays: 7 });
  life.watch(hours * 3600, { listEverySeconds: 30, projectsEvery: 10 });
  while (life.history.upkeep(life.now));
  life.folder.close(life.history);
  copyFileSync(life.folder.file, file);
}

const tasks = { live };
if (import.meta.main) serveTasks(tasks);
