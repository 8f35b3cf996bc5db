import { join } from 'node:path';
import { declareBenchmark } from './benchmark.ts';
import { startChild } from './process/child.ts';
import type { SqliteTasks } from './program/bare-sqlite.ts';
import type { DayTasks } from './program/history-day.ts';

const busyShare = 0.05;
const text = 'bare SQLite, every sample, ids and instants as text';

export const historySize = declareBenchmark({
  name: 'history-size',
  goal:
    'A day of sweeps every 15 s over a fleet of which 5 % is busy makes the history grow by at most 1.2 bytes for ' +
    'each sample it was shown.',
  sizes: {
    tiny: { projects: 40, hours: 0.5, bareSweeps: 20 },
    small: { projects: 300, hours: 24, bareSweeps: 240 },
    full: { projects: 2000, hours: 24, bareSweeps: 240 },
  },
  async run({ projects, hours, bareSweeps }, run) {
    const folder = run.openFolder();
    const sqlite = startChild<SqliteTasks>(run, 'bare-sqlite');
    await sqlite.ask('open', join(folder, 'bare.sqlite'));
    const bare = { projects, listPolls: bareSweeps };
    const textBytes = await sqlite.ask('sizeOfText', bare);
    const integerBytes = await sqlite.ask('sizeOfIntegers', bare);
    const day = { file: join(folder, 'dbpm.sqlite'), projects, hours, busyShare };
    const bytes = await startChild<DayTasks>(run, 'history-day').ask('live', day);
    run.remark("What Prometheus's own storage takes is measured by `stored-sample`.");
    const unit = 'bytes/sample';
    return [
      { what: text, value: textBytes, unit },
      { what: 'bare SQLite, every sample, integers', value: integerBytes, unit, ratioTo: text },
      { what: 'history', value: bytes, unit, ratioTo: text, goal: { of: 'value', atMost: 1.2 } },
    ];
  },
});
