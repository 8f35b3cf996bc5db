import Database from 'better-sqlite3';
import { parseDuration } from '../../../src/config/duration.ts';
import { settings } from '../../../src/config/setting.ts';
import { History } from '../../../src/history/history.ts';
import { keepAll, type RetentionTimes, retentionKinds } from '../../../src/history/upkeep/retention.ts';
import { Upkeep } from '../../../src/history/upkeep/upkeep.ts';
import { collectors } from '../../../src/resources/collector.ts';
import { endpointList } from '../../../src/resources/endpoint.ts';
import { projectList } from '../../../src/resources/project.ts';
import { hash } from '../../../src/simulator/model/random.ts';
import type { BenchRun } from '../bench-run.ts';
import { serveTasks, startChild } from '../process/child.ts';
import { endpointId, operationId } from './fleet-name.ts';
import { operationDurationMs, operationIntervalMs, WireFleet } from './wire-fleet.ts';

interface PastOptions {
  readonly file: string;
  readonly projects: number;
  readonly days: number;
  readonly busyShare: number;
  /** Epoch milliseconds: when the past ends. */
  readonly now: number;
  /** Time between two samples of a busy project; a year at every sweep would be a thousand million rows. */
  readonly sampleIntervalMs: number;
  /** Whether what is older than it is usually kept is deleted, as the daemon would have done it day by day. */
  readonly isPruned?: boolean;
}

const dayMs = 86_400_000;
/** How long rows are kept where nothing else is set. */
const usualRetention = Object.fromEntries(
  retentionKinds.map(kind => [kind, parseDuration(settings[`history.keep_${kind}`].default ?? '') ?? 0]),
) as RetentionTimes;
/** How long a project is busy at a time. */
const busyMs = 30 * 60_000;
const account = 'main';
const minCu = 0.25;
const maxCu = 2;

/** Prices and groups that make a bill of a past take all the work that it usually takes. */
export const pastPrices = `pricing:
  currency: EUR
  plans:
    - name: all
      prices:
        - {from: 2020-01-01, per_compute_hour: 0.16}
      included: {compute_hours: 300, per: account}
      minimum: 19
groups:
  team:
    some: {projects: ["*1*"]}
`;

/** Writes it in a process of its own, whose heap is gone when it is written. */
export async function writePastApart(run: BenchRun, options: PastOptions): Promise<number> {
  const writer = startChild<typeof tasks>(run, import.meta.url);
  const rows = await writer.ask('write', options);
  await writer.stop();
  return rows;
}

/**
 * Writes a history as if the daemon had watched a `WireFleet` for some days: through the history what is known now,
 * and row by row what happened before.
 *
 * @returns how many rows the past has.
 */
export function writePast(options: PastOptions): number {
  const fleet = new WireFleet(options);
  recordPresent(fleet, options);
  const database = new Database(options.file);
  // Nothing to go back to: a log of a year would double the space it takes.
  database.pragma('journal_mode = DELETE');
  database.pragma('journal_mode = OFF');
  database.pragma('synchronous = OFF');
  database.pragma('foreign_keys = OFF');
  try {
    return writeRows(database, fleet, options);
  } finally {
    database.close();
  }
}

function recordPresent(fleet: WireFleet, { file, projects, now }: PastOptions): void {
  const history = new History({
    file,
    accounts: [account],
    collectors,
    staleAfterMs: dayMs,
    dropAfterMs: dayMs,
  });
  const moment = { account, readAt: now, servedAt: now, durationMs: 50 };
  const items = fleet
    .projects(0, projects)
    .map(projectList.decode)
    .filter(item => item !== undefined);
  history.commitOne({ kind: 'projects', ...moment, items, rejected: 0, complete: true });
  history.commitOne({ kind: 'api_keys', ...moment, items: [], rejected: 0, complete: true });
  history.close();
}

/** One transaction; projects one after the other, as their keys lie. */
function writeRows(database: Database.Database, fleet: WireFleet, options: PastOptions): number {
  const statements = prepare(database);
  let rows = 0;
  const refs = database.prepare<[], number>('SELECT project_ref FROM project ORDER BY project_ref').pluck();
  const write = database.transaction(() => {
    for (const [index, project_ref] of refs.all().entries()) {
      statements.imported.run(options.now, options.now, project_ref);
      rows += writeSamples(statements, project_ref, index, options);
      rows += writeOperations(statements, project_ref, index, fleet, options);
    }
    statements.accountTotal.run();
    const upkeep = new Upkeep(database, options.isPruned ? usualRetention : keepAll);
    while (upkeep.step(options.now));
  });
  write();
  return rows;
}

type Statements = ReturnType<typeof prepare>;

function writeSamples(
  statements: Statements,
  project_ref: number,
  index: number,
  options: PastOptions,
): number {
  const { now, days, busyShare, sampleIntervalMs } = options;
  let rows = 0;
  let usedSec = 0;
  statements.forget.run(project_ref);
  statements.forgetStart.run(project_ref);
  for (let slot = Math.ceil((days * dayMs) / busyMs); slot > 0; slot -= 1) {
    if (hash(index, slot) / 2 ** 32 >= busyShare) continue;
    const beganAt = now - slot * busyMs;
    for (let at = beganAt; at < beganAt + busyMs; at += sampleIntervalMs) {
      usedSec += 15;
      statements.sample.run(project_ref, at, usedSec, at === beganAt ? at - sampleIntervalMs : null);
      if (rows === 0) statements.begin.run(project_ref, at);
      rows += 1;
    }
  }
  statements.total.run(usedSec, usedSec, usedSec, now, project_ref);
  return rows;
}

/** Starts and suspensions in turn, the time between them in the ledger. */
function writeOperations(
  statements: Statements,
  project_ref: number,
  index: number,
  fleet: WireFleet,
  { now, days }: PastOptions,
): number {
  const operations = Math.floor((now - fleet.createdAt(index)) / operationIntervalMs);
  const first = Math.max(0, operations - days);
  const endpoint = fleet.endpoint(index);
  const decoded = endpointList.decode(endpoint);
  const { lastInsertRowid } = statements.endpoint.run({
    project_ref,
    endpoint_id: endpointId(index),
    branch_id: decoded?.branch_id,
    region_id: decoded?.region_id,
    type: decoded?.type,
    host: decoded?.host,
    proxy_host: decoded?.proxy_host,
    pooler_mode: decoded?.pooler_mode,
    created_at: decoded?.created_at,
    last_active: decoded?.last_active,
    updated_at: decoded?.updated_at,
    starts: Math.ceil(operations / 2),
    suspends: Math.floor(operations / 2),
    since_at: now - operationIntervalMs,
    until_at: now,
    min_cu: minCu,
    max_cu: maxCu,
  });
  const endpoint_ref = Number(lastInsertRowid);
  let [lower, upper] = [0, 0];
  for (let number = first; number < operations; number += 1) {
    const at = fleet.operationAt(index, number);
    const starts = number % 2 === 0;
    const action = starts ? 'start_compute' : 'suspend_compute';
    const endedAt = at + operationDurationMs;
    statements.operation.run(project_ref, operationId(index, number), endpoint_ref, action, at, endedAt);
    statements.interval.run(endpoint_ref, endedAt, starts ? 'active' : 'idle');
    statements.compute.run(endpoint_ref, endedAt, starts ? minCu : 0, starts ? maxCu : 0, lower, upper);
    if (starts) [lower, upper] = [lower + minCu * operationIntervalMs, upper + maxCu * operationIntervalMs];
  }
  for (const action of ['start_compute', 'suspend_compute'])
    statements.count.run(project_ref, action, Math.ceil((operations - first) / 2), now);
  for (const state of ['active', 'idle']) statements.duration.run(endpoint_ref, state, (days * dayMs) / 2);
  return (operations - first) * 3 + 5;
}

function prepare(database: Database.Database) {
  return {
    imported: database.prepare(
      'UPDATE project SET operations_head_at = ?, last_refresh_at = ? WHERE project_ref = ?',
    ),
    forget: database.prepare('DELETE FROM cpu_sample WHERE project_ref = ?'),
    forgetStart: database.prepare('DELETE FROM cpu_count_start WHERE project_ref = ?'),
    sample: database.prepare(
      'INSERT INTO cpu_sample (project_ref, at, cpu_used_sec, after_at) VALUES (?, ?, ?, ?)',
    ),
    begin: database.prepare('INSERT INTO cpu_count_start (project_ref, at) VALUES (?, ?)'),
    total: database.prepare(
      `UPDATE project SET cpu_used_sec = ?, cpu_last_sec = ?, cpu_used_total_sec = ?, cpu_last_at = ?,
         first_seen_at = created_at WHERE project_ref = ?`,
    ),
    accountTotal: database.prepare(
      'UPDATE account SET cpu_used_total_sec = (SELECT sum(cpu_used_total_sec) FROM project)',
    ),
    endpoint: database.prepare(
      `INSERT INTO endpoint (project_ref, endpoint_id, branch_id, region_id, type, host, proxy_host, pooler_mode,
         current_state, autoscaling_limit_min_cu, autoscaling_limit_max_cu, disabled, pooler_enabled,
         passwordless_access, last_active, created_at, updated_at, first_seen_at, starts, suspends,
         ledger_state, ledger_since_at, ledger_until_at, ledger_min_cu, ledger_max_cu)
       VALUES (@project_ref, @endpoint_id, @branch_id, @region_id, @type, @host, @proxy_host, @pooler_mode,
         'idle', @min_cu, @max_cu, 0, 0, 0, @last_active, @created_at, @updated_at, @created_at, @starts, @suspends,
         'idle', @since_at, @until_at, @min_cu, @max_cu)`,
    ),
    operation: database.prepare(
      `INSERT INTO operation (project_ref, operation_id, endpoint_ref, action, status, failures_count,
         created_at, updated_at, phase) VALUES (?, ?, ?, ?, 'finished', 0, ?, ?, 'ended')`,
    ),
    interval: database.prepare('INSERT INTO state_interval (endpoint_ref, from_at, state) VALUES (?, ?, ?)'),
    compute: database.prepare(
      `INSERT INTO compute_interval (endpoint_ref, from_at, lower_cu, upper_cu, lower_total, upper_total)
       VALUES (?, ?, ?, ?, ?, ?)`,
    ),
    count: database.prepare(
      `INSERT INTO operation_count (project_ref, action, status, count, last_ended_at)
       VALUES (?, ?, 'finished', ?, ?)`,
    ),
    duration: database.prepare(
      'INSERT INTO state_duration (endpoint_ref, state, duration_ms) VALUES (?, ?, ?)',
    ),
  };
}

const tasks = { write: writePast };
if (import.meta.main) serveTasks(tasks);
