import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { History } from '../../../src/history/history.ts';
import { collectors } from '../../../src/resources/collector.ts';
import { projectList } from '../../../src/resources/project.ts';
import type { Reading } from '../../../src/resources/reading.ts';
import { projectReading } from '../../support/reading-builder.ts';
import { projectId } from '../fleet/fleet-name.ts';
import { WireFleet } from '../fleet/wire-fleet.ts';
import { serveTasks } from '../process/task.ts';

export interface Recording {
  /** Of the processor, in this thread. */
  readonly cpuMs: number;
  /** The longest time the event loop stood still. */
  readonly blockedMs: number;
}

const account = 'main';
const pageLimit = 400;
const hourMs = 3_600_000;
const listPollMs = 15_000;
const resolutionMs = 1;
const operationsShown = 10;

setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');
let history: History | undefined;
let fleet: WireFleet | undefined;
let now = Date.now();

/** Opens a history and lets it see the whole fleet once. */
function open({ file, projects }: { file: string; projects: number }): void {
  fleet = new WireFleet({ projects, busyShare: 1, now });
  history = new History({ file, accounts: [account], collectors, staleAfterMs: hourMs, dropAfterMs: hourMs });
  history.recordAll(listReadings(fleet));
  fleet.advance(1);
  history.recordAll(projectReadings(fleet));
}

/** A sweep of the list of which this share changed. */
async function recordList(changedShare: number): Promise<Recording> {
  const known = opened();
  known.advance(changedShare);
  return record(listReadings(known));
}

/** The sweep that was recorded last once more: all of it is compared, and nothing of it written. */
function recordUnchanged(): Promise<Recording> {
  return record(listReadings(opened()));
}

/** Readings of this share of the projects, some of which were started since. */
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
    await history?.record(reading);
    await nextTurn();
  }
  const { user, system } = process.threadCpuUsage(cpuBefore);
  const cpuMs = (user + system) / 1000;
  delay.disable();
  return { cpuMs, blockedMs: Math.max(0, delay.max / 1e6 - resolutionMs) };
}

const tasks = { open, recordList, recordUnchanged, recordProjects };
export type HistoryTasks = typeof tasks;

serveTasks(tasks);
