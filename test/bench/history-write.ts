import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { History } from '../../src/history/history.ts';
import { collectors } from '../../src/resources/collector.ts';
import { projectList } from '../../src/resources/project.ts';
import type { Reading } from '../../src/resources/reading.ts';
import { projectReading } from '../support/reading-builder.ts';
import { declareBenchmark, type Row } from './benchmark.ts';
import { projectId } from './fleet/fleet-name.ts';
import { WireFleet } from './fleet/wire-fleet.ts';
import { median } from './percentile.ts';
import { serveTasks, startChild } from './process/child.ts';
import type { SqliteTasks, Writing } from './program/bare-sqlite.ts';

const pageLimit = 400;
const shareRead = 0.05;
/** What the history is asked to do, and the share of the projects that changed. */
const cycles = {
  'list, 5 % changed': ['recordList', 0.05],
  'list, 17.6 % changed': ['recordList', 0.176],
  'list, all changed': ['recordList', 1],
  'readings of 5 % of the projects': ['recordProjects', shareRead],
} as const;
type Cycle = keyof typeof cycles;
const cycleNames = Object.keys(cycles) as readonly Cycle[];
const leastShare = 0.2;
const mostBlocks = 2;

export const historyWrite = declareBenchmark({
  name: 'history-write',
  goal: 'A list poll of 10,000 projects in pages of 400, compared, counted and written, beside bare SQLite that writes the same rows in as many commits.',
  sizes: {
    tiny: { projects: 50, rounds: 1 },
    small: { projects: 10_000, rounds: 5 },
    full: { projects: 10_000, rounds: 16 },
  },
  async run({ projects, rounds }, run) {
    const folder = run.openFolder();
    const history = startChild<typeof tasks>(run, import.meta.url);
    const sqlite = startChild<SqliteTasks>(run, 'bare-sqlite');
    await history.ask('open', { file: join(folder, 'dbpm.sqlite'), projects });
    await sqlite.ask('open', join(folder, 'bare.sqlite'));
    await sqlite.ask('keep', projects);
    const measured = cycleNames.map(name => ({ name, bare: [] as Writing[], history: [] as Recording[] }));
    const unchanged: Recording[] = [];
    for (let round = 0; round < rounds; round += 1) {
      for (const { name, bare, history: recordings } of measured) {
        const [task, changedShare] = cycles[name];
        const perCommit = task === 'recordList' ? pageLimit : 1 / changedShare;
        const commits = Math.ceil(projects / perCommit);
        bare.push(await sqlite.ask('writeChanged', { projects, changedShare, commits }));
        recordings.push(await history.ask(task, changedShare));
        if (task === 'recordList') unchanged.push(await history.ask('recordUnchanged'));
      }
    }
    return measured.flatMap(({ name, bare, history: recordings }) =>
      renderRows(name, projects, { bare, recordings, unchanged }),
    );
  },
});

interface Measured {
  readonly bare: readonly Writing[];
  readonly recordings: readonly Recording[];
  /** List polls in which nothing changed. */
  readonly unchanged: readonly Recording[];
}

function medianCpuMs(measured: readonly { readonly cpuMs: number }[]): number {
  return median(measured.map(({ cpuMs }) => cpuMs));
}

function renderRows(
  name: Cycle,
  projects: number,
  { bare, recordings, unchanged }: Measured,
): readonly Row[] {
  const [task, changedShare] = cycles[name];
  const isList = task === 'recordList';
  const isJudged = changedShare < 1;
  const unit = isList ? 'samples/CPU s' : 'readings/CPU s';
  const count = isList ? projects : projects * changedShare;
  const rate = (cpuMs: number) => (count / cpuMs) * 1000;
  const block = (measured: readonly Writing[]) => median(measured.map(({ blockedMs }) => blockedMs));
  const [alone, through, bound] = [
    `bare SQLite, ${name}`,
    `history, ${name}`,
    `nothing changed, then bare SQLite, ${name}`,
  ];
  const boundMs = medianCpuMs(unchanged) + medianCpuMs(bare);
  const longest = (what: string) => `${what}, longest block`;
  return [
    { what: alone, value: rate(medianCpuMs(bare)), unit },
    { what: longest(alone), value: block(bare), unit: 'ms' },
    ...(isList ? [{ what: bound, value: rate(boundMs), unit, ratioTo: alone }] : []),
    {
      ...{ what: through, value: rate(medianCpuMs(recordings)), unit, ratioTo: alone },
      ...(isList && isJudged && { goal: { of: 'ratio', atLeast: leastShare } }),
    },
    {
      ...{ what: longest(through), value: block(recordings), unit: 'ms', ratioTo: longest(alone) },
      ...(isJudged && { goal: { of: 'ratio', atMost: mostBlocks } }),
    },
  ];
}

interface Recording {
  /** Of the processor, in this thread. */
  readonly cpuMs: number;
  /** The longest time the event loop stood still. */
  readonly blockedMs: number;
}

const account = 'main';
const hourMs = 3_600_000;
const listPollMs = 15_000;
const resolutionMs = 1;
const operationsShown = 10;

let collectGarbage: () => void = () => {};
let history: History | undefined;
let fleet: WireFleet | undefined;
let now = Date.now();

/** The program begins: it opens a history and lets it see the whole fleet once. */
function open({ file, projects }: { file: string; projects: number }): void {
  setFlagsFromString('--expose-gc');
  collectGarbage = runInNewContext('gc');
  fleet = new WireFleet({ projects, busyShare: 1, now });
  history = new History({ file, accounts: [account], collectors, staleAfterMs: hourMs, dropAfterMs: hourMs });
  history.commit(listReadings(fleet));
  fleet.advance(1);
  history.commit(projectReadings(fleet));
}

/** A list poll in which this share changed. */
async function recordList(changedShare: number): Promise<Recording> {
  const known = opened();
  known.advance(changedShare);
  return record(listReadings(known));
}

/** The sweep that was recorded last once more: all of it is compared, and nothing of it written. */
function recordUnchanged(): Promise<Recording> {
  return record(listReadings(opened()));
}

/** Readings of this share of the projects; some were started since. */
async function recordProjects(share: number): Promise<Recording> {
  const known = opened();
  known.advance(share);
  return record(projectReadings(known));
}

function opened(): WireFleet {
  if (fleet === undefined) throw new Error('open comes first');
  now += listPollMs;
  return fleet;
}

/** Decoded and in pages, as polling hands them over. */
function listReadings(known: WireFleet): readonly Reading[] {
  const { projects } = known.options;
  const moment = { account, readAt: now, servedAt: now, durationMs: 50 };
  const earlierIds: string[] = [];
  const readings: Reading[] = [];
  for (let from = 0; from < projects; from += pageLimit) {
    const items = known
      .projects(from, pageLimit)
      .map(projectList.decode)
      .filter(item => item !== undefined);
    if (from + pageLimit < projects) readings.push({ kind: 'project_page', ...moment, items });
    else
      readings.push({
        kind: 'projects',
        ...moment,
        items,
        rejected: 0,
        complete: true,
        earlierIds: [...earlierIds],
      });
    earlierIds.push(...items.map(({ project_id }) => project_id));
  }
  return readings;
}

function projectReadings(known: WireFleet): readonly Reading[] {
  return known.busy().map(index =>
    projectReading(now, projectId(index), {
      endpoints: [known.endpoint(index)],
      operations: known.operations(index, operationsShown),
    }),
  );
}

async function record(readings: readonly Reading[]): Promise<Recording> {
  const delay = monitorEventLoopDelay({ resolution: resolutionMs });
  // What decoding left behind, and the measurement before, is not the history's.
  collectGarbage();
  await nextTurn();
  delay.enable();
  await nextTurn();
  const cpuBefore = process.threadCpuUsage();
  for (const reading of readings) {
    await history?.commitOne(reading);
    await nextTurn();
  }
  const { user, system } = process.threadCpuUsage(cpuBefore);
  const cpuMs = (user + system) / 1000;
  delay.disable();
  return { cpuMs, blockedMs: Math.max(0, delay.max / 1e6 - resolutionMs) };
}

const tasks = { open, recordList, recordUnchanged, recordProjects };
if (import.meta.main) serveTasks(tasks);
