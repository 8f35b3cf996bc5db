import type { KeyUse } from '../../../history/usage/key-query.ts';
import type { EndedOperation } from '../../../history/usage/operation-query.ts';
import { hasFailed } from '../../../resources/operation.ts';
import { costLines } from './cost-line.ts';
import { endpointDays, endpointStates } from './endpoint-day.ts';
import { lifeIn, type ParquetDay, type PlacedRow, placeOf, projectsOf } from './parquet-day.ts';
import { column, type ParquetTable, parquetTable } from './parquet-table.ts';
import { usageHours } from './usage-hour.ts';

interface OperationRow extends PlacedRow {
  readonly ended: EndedOperation;
}

/** The operations that ended in a day. */
const operations = parquetTable<OperationRow>({
  name: 'operations',
  about: 'An operation that ended in the day.',
  columns: [
    column('operation_id', 'text', 'The operation.', row => row.ended.operation_id),
    column('endpoint_id', 'text', 'Its endpoint.', ({ ended }) => ended.endpoint_id),
    column('branch_id', 'text', 'Its branch.', ({ ended }) => ended.branch_id),
    column('action', 'text', 'What it did.', row => row.ended.action),
    column('status', 'text', 'How it ended.', row => row.ended.status),
    column('failed', 'flag', 'Whether it failed.', ({ ended }) => hasFailed(ended.status)),
    column('failed_attempts', 'count', 'How many attempts at it failed.', row => row.ended.failures_count),
    column('created_at', 'instant', 'When it was created.', ({ ended }) => ended.created_at),
    column('ended_at', 'instant', 'When it ended.', ({ ended }) => ended.ended_at),
    column('duration_seconds', 'seconds', 'How long it took.', ({ ended }) => ended.durationMs),
    column('error', 'text', 'What the service said went wrong.', ({ ended }) => ended.error),
  ],
  keptFromAt: ({ history }) => history.keptFromAt.operations,
  *rows(day) {
    for (const project of projectsOf(day).filter(({ project_ref }) => project_ref >= 0)) {
      const all = day.ended(project.project_ref);
      if (all.length === 0) continue;
      const place = placeOf(day, project);
      for (const ended of all) yield { place, ended };
    }
  },
});

interface KeyUseRow extends PlacedRow {
  readonly day: ParquetDay;
  readonly use: KeyUse;
}

const shown = ({ day }: KeyUseRow, value: string | null) => (day.isPersonal ? value : undefined);

/** The uses of API keys, cut at the ends of days; a use from one address that goes on is one. */
const keyUses = parquetTable<KeyUseRow>({
  name: 'key_uses',
  about: 'A use of an API key from one address, cut at the ends of days; one that goes on is one.',
  isOfAccount: true,
  columns: [
    column('key_id', 'text', 'The key.', row => row.use.key_id),
    column('key_name', 'text', 'Its name.', ({ use }) => use.key_name),
    column('key_created_at', 'instant', 'When it was created.', ({ use }) => use.created_at),
    column('first_used_at', 'instant', 'When it was first used so in the day.', ({ use, day }) =>
      Math.max(use.fromAt, day.fromAt),
    ),
    column('last_used_at', 'instant', 'When it was last used so in the day.', ({ use, day }) =>
      Math.min(use.untilAt, day.untilAt - 1),
    ),
    column('last_used_from_addr', 'text', 'The address; only with `--personal`.', row =>
      shown(row, row.use.last_used_from_addr),
    ),
    column('created_by_id', 'text', 'Who created it; only with `--personal`.', row =>
      shown(row, row.use.created_by_id),
    ),
    column('created_by_name', 'text', 'The name of that person; only with `--personal`.', row =>
      shown(row, row.use.created_by_name),
    ),
  ],
  keptFromAt: () => 0,
  *rows(day) {
    const { account, fromAt, untilAt, history } = day;
    // Shard 0 reads the keys: another one that began with a copy would write the uses in it once more.
    if (history.missingShards(account).some(({ index }) => index === 0)) return;
    const place = placeOf(day);
    for (const use of history.keyUses({ account, fromAt, untilAt })) yield { place, day, use };
  },
});

interface ProjectRow extends PlacedRow {
  /** Epoch milliseconds; absent where it was still there at the end of the day. */
  readonly goneAt: number | undefined;
}

/** The projects that were there in a day, with names and groups as they are when it is written. */
const projects = parquetTable<ProjectRow>({
  name: 'projects',
  about: 'A project that was there in the day.',
  columns: [column('gone_at', 'instant', 'When it was gone, where that was in the day.', row => row.goneAt)],
  keptFromAt: () => 0,
  *rows(day) {
    for (const project of projectsOf(day)) {
      const life = lifeIn(day, project);
      if (life === undefined || (life.gone_at ?? day.untilAt) <= day.fromAt) continue;
      const { gone_at } = life;
      // One that is gone by now was there on this day.
      const goneAt = gone_at !== undefined && gone_at < day.untilAt ? gone_at : undefined;
      yield { place: placeOf(day, project), goneAt };
    }
  },
});

/** All tables that are written. */
export const parquetTables: readonly ParquetTable[] = [
  usageHours,
  costLines,
  operations,
  endpointStates,
  endpointDays,
  keyUses,
  projects,
];
