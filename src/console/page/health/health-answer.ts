import * as v from 'valibot';
import { nameHistories } from '../../../history/file/history-list.ts';
import { compact } from '../../../resources/field.ts';
import { renderShard } from '../../../resources/shard.ts';
import { instantField } from '../../answer-field.ts';
import { writeInstant, writeMaybeInstant } from '../../answer-value.ts';
import { type Condition, conditionField } from '../../condition/condition.ts';
import type { ConsoleConfig } from '../../console-config.ts';
import type { LiveAccount, LiveState } from '../../live-state.ts';
import { historiesField, listHistoryFiles } from './history-list.ts';

const collectorField = v.object({
  collector: v.string(),
  success: v.nullable(v.boolean()),
  last_success_at: v.nullable(instantField),
  last_duration_ms: v.nullable(v.number()),
  /** Projects whose last reading failed; null where none did. */
  failing_projects: v.nullable(v.number()),
  errors: v.record(v.string(), v.number()),
});
const accountField = v.object({
  account: v.string(),
  up: v.nullable(v.boolean()),
  auth_ok: v.nullable(v.boolean()),
  projects: v.number(),
  endpoints: v.number(),
  oldest_read_at: v.nullable(instantField),
  imports_left: v.nullable(v.number()),
  budget_per_minute: v.nullable(v.number()),
  demand_per_minute: v.nullable(v.number()),
  oldest_due_at: v.nullable(instantField),
  /** Until when the service wants the account left alone; null where it does not. */
  paused_until: v.nullable(instantField),
  /** When the list of projects is read next. */
  next_list_at: v.nullable(instantField),
  collectors: v.array(collectorField),
});
export type HealthAccount = v.InferOutput<typeof accountField>;

const problemField = v.object({
  what: v.string(),
  about: v.record(v.string(), v.string()),
  reason: v.nullable(v.string()),
  /** The cause and the remedy, as the log has them. */
  message: v.string(),
  since: instantField,
  last: instantField,
  failures: v.number(),
});

export const healthAnswer = v.object({
  /** All that is not as usual, the most urgent first. */
  conditions: v.array(conditionField),
  started_at: instantField,
  history_file: v.string(),
  history_size_bytes: v.number(),
  /** Null where no daemon makes any here. */
  backup: v.nullable(
    v.object({
      newest_at: v.nullable(instantField),
      every_ms: v.number(),
      keep: v.number(),
      directory: v.string(),
    }),
  ),
  /** The damaged history in whose place this one was begun last. */
  set_aside: v.nullable(
    v.object({
      at: instantField,
      file: v.string(),
      problem: v.string(),
      backup_at: v.nullable(instantField),
    }),
  ),
  shard: v.nullable(v.string()),
  standby: v.nullable(v.object({ is_standby: v.boolean(), takeovers: v.nullable(v.number()) })),
  last_reload: v.nullable(v.object({ at: instantField, succeeded: v.boolean() })),
  stalled: v.array(v.object({ account: v.string(), what: v.string() })),
  problems: v.array(problemField),
  accounts: v.array(accountField),
  histories: historiesField,
});
export type Health = v.InferOutput<typeof healthAnswer>;

export function describeHealth(
  live: LiveState,
  conditions: readonly Condition[],
  config: ConsoleConfig,
): Health {
  const { history, shard } = config;
  const { startedAt, historySizeBytes, succession, lastReload, stalled, problems, setAside } = live;
  const isDaemon = live.histories === undefined;
  return {
    conditions: [...conditions],
    started_at: writeInstant(startedAt),
    history_file: nameHistories(history.file),
    history_size_bytes: historySizeBytes,
    backup:
      isDaemon && history.backupEveryMs > 0
        ? {
            newest_at: writeMaybeInstant(live.newestBackupAt),
            ...{
              every_ms: history.backupEveryMs,
              keep: history.backupKeep,
              directory: history.backupDirectory,
            },
          }
        : null,
    set_aside: setAside
      ? {
          ...{ at: writeInstant(setAside.at), file: setAside.file, problem: setAside.problem },
          backup_at: writeMaybeInstant(setAside.backup?.at),
        }
      : null,
    shard: shard === undefined ? null : renderShard(shard),
    standby: succession
      ? { is_standby: succession.isStandby, takeovers: succession.takeovers ?? null }
      : null,
    last_reload: lastReload ? { ...lastReload, at: writeInstant(lastReload.at) } : null,
    stalled: stalled.map(({ account, what }) => ({ account, what })),
    problems: problems.map(({ what, about, message, failures, sinceAt, lastAt, reason = null }) => ({
      ...{ what, about, message, failures, reason },
      ...{ since: writeInstant(sinceAt), last: writeInstant(lastAt) },
    })),
    accounts: listAccounts(live),
    histories: listHistoryFiles(live, config),
  };
}

function listAccounts({ overviews, accounts }: LiveState): HealthAccount[] {
  const known = new Map(overviews.map(overview => [overview.summary.account, overview]));
  // A standby polls none.
  const shown: readonly Partial<LiveAccount>[] =
    accounts.length > 0 ? accounts : overviews.map(({ summary: { account } }) => ({ account }));
  return shown.map(polled => {
    const { account = '', budgetPerMinute = null, pressure } = polled;
    const overview = known.get(account);
    const summary = overview?.summary;
    return {
      account,
      up: summary?.up ?? null,
      auth_ok: summary?.authOk ?? null,
      projects: overview?.projects ?? 0,
      endpoints: overview?.endpoints ?? 0,
      oldest_read_at: writeMaybeInstant(overview?.oldestReadAt),
      imports_left: summary?.importsLeft ?? null,
      budget_per_minute: budgetPerMinute,
      demand_per_minute: pressure?.demandPerMinute ?? null,
      oldest_due_at: writeMaybeInstant(pressure?.oldestDueAt),
      paused_until: writeMaybeInstant(polled.pausedUntil),
      next_list_at: writeMaybeInstant(polled.nextListAt),
      collectors: (summary?.collectors ?? []).map(each => ({
        collector: each.collector,
        success: each.success ?? null,
        last_success_at: writeMaybeInstant(each.lastSuccessAt),
        last_duration_ms: each.lastDurationMs ?? null,
        failing_projects: each.failing?.count ?? null,
        errors: Object.fromEntries(Object.entries(compact(each.errors)).filter(([, count]) => count > 0)),
      })),
    };
  });
}
