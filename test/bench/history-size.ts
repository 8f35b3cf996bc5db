import { statSync } from 'node:fs';
import { join } from 'node:path';
import { History } from '../../src/history/history.ts';
import { collectors } from '../../src/resources/collector.ts';
import { type Project, projectList } from '../../src/resources/project.ts';
import { createRandom } from '../../src/simulator/model/random.ts';
import { declareBenchmark } from './benchmark.ts';
import { WireFleet } from './fleet/wire-fleet.ts';
import { serveTasks, startChild } from './process/child.ts';
import type { SqliteTasks } from './program/bare-sqlite.ts';

const account = 'main';
const listPollMs = 15_000;
const hourMs = 3_600_000;
/** How long a project is busy at a time, on average. */
const busyMs = 10 * 60_000;
const random = createRandom('day');
const busyShare = 0.05;
const text = 'bare SQLite, every sample, ids and instants as text';

export const historySize = declareBenchmark({
  name: 'history-size',
  goal: 'A day of list polls every 15 s over a fleet of which 5 % is busy, by sample shown.',
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
    const day = { file: join(folder, 'dbpm.sqlite'), projects, hours };
    const bytes = await startChild<typeof tasks>(run, import.meta.url).ask('live', day);
    run.remark("What Prometheus's own storage takes is measured by `stored-sample`.");
    const unit = 'bytes/sample';
    return [
      { what: text, value: textBytes, unit },
      { what: 'bare SQLite, every sample, integers', value: integerBytes, unit, ratioTo: text },
      { what: 'history', value: bytes, unit, ratioTo: text, goal: { of: 'value', atMost: 1.2 } },
    ];
  },
});

interface Day {
  readonly file: string;
  readonly projects: number;
  readonly hours: number;
}

/** The program polls a fleet for some hours; by how many bytes the history grew for each sample it was shown. */
async function live({ file, projects, hours }: Day): Promise<number> {
  const startedAt = Date.UTC(2026, 0, 1);
  const fleet = new WireFleet({ projects, busyShare, now: startedAt });
  const items = fleet
    .projects(0, projects)
    .map(projectList.decode)
    .filter(item => item !== undefined);
  await record(file, [items], startedAt);
  const before = statSync(file).size;
  const listPolls = Math.round((hours * hourMs) / listPollMs);
  await record(file, sweepDay(items, startedAt, listPolls), startedAt + listPollMs);
  return (statSync(file).size - before) / (projects * listPolls);
}

/** Projects fall busy and idle again after times of chance; the list as each sweep finds it. */
function* sweepDay(
  items: Project[],
  startedAt: number,
  listPolls: number,
): Generator<readonly Project[], void, undefined> {
  const idleMs = (busyMs * (1 - busyShare)) / busyShare;
  const lives = items.map(() => ({ busy: random.chance(busyShare), untilAt: startedAt }));
  for (let listPoll = 1; listPoll <= listPolls; listPoll += 1) {
    const at = startedAt + listPoll * listPollMs;
    for (const [index, life] of lives.entries()) {
      if (life.untilAt <= at) {
        if (life.untilAt > startedAt) life.busy = !life.busy;
        life.untilAt = at - (life.busy ? busyMs : idleMs) * Math.log(1 - random.fraction());
      }
      const item = items[index];
      if (!life.busy || item === undefined) continue;
      items[index] = {
        ...item,
        cpu_used_sec: (item.cpu_used_sec ?? 0) + random.integer(3, 30),
        updated_at: at,
      };
    }
    yield items;
  }
}

/** The file is closed in the end, so that all of it is in one place. */
async function record(
  file: string,
  listPolls: Iterable<readonly Project[]>,
  startedAt: number,
): Promise<void> {
  const history = new History({
    file,
    accounts: [account],
    collectors,
    staleAfterMs: hourMs,
    dropAfterMs: hourMs,
  });
  let at = startedAt;
  for (const items of listPolls) {
    const readAt = at + random.integer(0, 999);
    const moment = { account, readAt, servedAt: readAt, durationMs: 50 };
    await history.commitOne({ kind: 'projects', ...moment, items, rejected: 0, complete: true });
    at += listPollMs;
  }
  await history.close();
}

const tasks = { live };
if (import.meta.main) serveTasks(tasks);
