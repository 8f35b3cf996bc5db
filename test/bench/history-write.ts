import { join } from 'node:path';
import { declareBenchmark, type Row } from './benchmark.ts';
import { median } from './percentile.ts';
import { startChild } from './process/child.ts';
import type { SqliteTasks } from './program/bare-sqlite.ts';
import type { HistoryTasks, Recording } from './program/history-writer.ts';

const shareRead = 0.05;
const cycles = {
  'list, 5 % changed': ['recordList', 0.05],
  'list, 17.6 % changed': ['recordList', 0.176],
  'list, all changed': ['recordList', 1],
  'readings of 5 % of the projects': ['recordProjects', shareRead],
} as const;
const judged: ReadonlySet<string> = new Set(['list, 5 % changed', 'list, 17.6 % changed']);
const insertEach = 'bare SQLite, prepared inserts of every sample';
const insertJson = 'bare SQLite, one json_each insert of every sample';

export const historyWrite = declareBenchmark({
  name: 'history-write',
  goal:
    'A sweep of 10,000 projects in pages of 400 goes through the history at 0.5 million samples a second or more, ' +
    'compared, counted and written where they changed, and stops the event loop for at most 5 ms at a time.',
  sizes: {
    tiny: { projects: 50, rounds: 1 },
    small: { projects: 10_000, rounds: 8 },
    full: { projects: 10_000, rounds: 40 },
  },
  async run({ projects, rounds }, run) {
    const folder = run.openFolder();
    const history = startChild<HistoryTasks>(run, 'history-writer');
    const sqlite = startChild<SqliteTasks>(run, 'bare-sqlite');
    await history.ask('open', { file: join(folder, 'dbpm.sqlite'), projects });
    await sqlite.ask('open', join(folder, 'bare.sqlite'));
    const bare = { [insertEach]: [] as number[], [insertJson]: [] as number[] };
    const recordings: Record<string, Recording[]> = {};
    for (let round = 0; round < rounds; round += 1) {
      bare[insertEach]?.push(await sqlite.ask('insertEach', projects));
      bare[insertJson]?.push(await sqlite.ask('insertJson', projects));
      for (const [name, [task, share]] of Object.entries(cycles)) {
        recordings[name] = [...(recordings[name] ?? []), await history.ask(task, share)];
      }
    }
    return [
      ...Object.entries(bare).map(([what, durations]) => renderRate(what, projects, durations)),
      ...Object.entries(recordings).flatMap(([name, measured]) => renderRows(name, projects, measured)),
    ];
  },
});

function renderRate(what: string, rows: number, durationsMs: readonly number[]): Row {
  return { what, value: (rows / median(durationsMs)) * 1000, unit: 'rows/s' };
}

function renderRows(name: string, projects: number, measured: readonly Recording[]): readonly Row[] {
  const durations = measured.map(({ durationMs }) => durationMs);
  const rate: Row = name.startsWith('list')
    ? { ...renderRate(`history, ${name}`, projects, durations), unit: 'samples/s', ratioTo: insertEach }
    : { ...renderRate(`history, ${name}`, projects * shareRead, durations), unit: 'readings/s' };
  const blocked: Row = {
    what: `history, ${name}, longest block`,
    value: Math.max(...measured.map(({ blockedMs }) => blockedMs)),
    unit: 'ms',
    ...(name !== 'list, all changed' && { goal: { of: 'value', atMost: 5 } }),
  };
  return [judged.has(name) ? { ...rate, goal: { of: 'value', atLeast: 500_000 } } : rate, blocked];
}
