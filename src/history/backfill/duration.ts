import type { BackfillPart, InstantRow } from '../../resources/backfill.ts';
import {
  type OperationDuration,
  operationDurationBuckets,
  operationDurationFamilies,
} from '../../resources/operation.ts';
import { statementsOf } from '../file/statement.ts';
import { orderSlackMs } from '../ledger/plausible-instant.ts';
import { accountViewOf } from './account.ts';
import { type BackfillAccount, type BackfillProject, type BackfillSource, replay } from './source.ts';

/** Operations of an action that ended after one instant and up to the next, and took about as long. */
interface DurationCount {
  readonly slot: number;
  readonly action: string;
  /** Index of the bucket; the last one has no bound. */
  readonly bucket: number;
  readonly count: number;
  readonly sum_ms: number;
}

interface Tally {
  readonly counts: number[];
  sumMs: number;
}

/** Histograms of how long operations took, counted back from how many there are by now. */
export function backfillDurations(source: BackfillSource): readonly BackfillPart[] {
  const statements = prepare(source);
  const elsewhere = JSON.stringify(source.everyProject.flatMap(listElsewhere));
  return [
    {
      metrics: [operationDurationFamilies.duration.name],
      subjects: source.accounts.map(account => () => {
        const { account_ref } = account;
        const totals = statements.totals({ account_ref });
        const { fromAt, stepMs } = source.instants;
        const slots = statements.slots({ account_ref, fromAt, stepMs, elsewhere });
        return backfillDuration(source, account, totals, slots);
      }),
    },
  ];
}

/** The times in which another history counts the operations of a project, as numbers that JSON has. */
function listElsewhere({ project_ref, life: { elsewhere = [] } }: BackfillProject) {
  const bound = (at: number) => Math.max(-longestMs, Math.min(longestMs, at));
  return elsewhere.map(({ fromAt, untilAt }) => [project_ref, bound(fromAt), bound(untilAt)]);
}

/** Further from 1970 than any instant. */
const longestMs = Number.MAX_SAFE_INTEGER;

function backfillDuration(
  source: BackfillSource,
  account: BackfillAccount,
  totals: readonly DurationCount[],
  slots: readonly DurationCount[],
): Iterable<unknown> {
  const { instants, words } = source;
  const tallies = new Map<string, Tally>();
  const add = ({ action, bucket, count, sum_ms }: DurationCount, sign: 1 | -1) => {
    const label = words.labelOf(account.account_ref, 'action', action);
    const tally = tallies.get(label) ?? { counts: [...operationDurationBuckets, 0].map(() => 0), sumMs: 0 };
    tallies.set(label, tally);
    tally.counts[bucket] = (tally.counts[bucket] ?? 0) + sign * count;
    tally.sumMs += sign * sum_ms;
  };
  for (const total of totals) add(total, 1);
  for (const slot of slots) add(slot, -1);
  return replay(instants, account.life, date(slots, instants), {
    apply: slot => add(slot, 1),
    show: () => accountViewOf(account.account, { operationDurations: [...tallies].map(toDuration) }),
  });
}

function date(slots: readonly DurationCount[], { fromAt, stepMs }: InstantRow) {
  return slots.map(slot => ({ ...slot, at: fromAt + slot.slot * stepMs }));
}

function toDuration([action, { counts, sumMs }]: [string, Tally]): OperationDuration {
  let count = 0;
  const upTo = counts.map(own => {
    count += own;
    return count;
  });
  const cumulativeCounts = upTo.slice(0, operationDurationBuckets.length);
  return { action, seconds: { cumulativeCounts, count, sum: sumMs / 1000 } };
}

/** As operations are counted when they are committed. */
const tookMs = 'coalesce(o.total_duration_ms, max(0, o.updated_at - o.created_at))';

const bucketOf = (isWithin: (bound: number) => string) =>
  `CASE ${operationDurationBuckets.map((bound, index) => `WHEN ${isWithin(bound)} THEN ${index}`).join(' ')}
   ELSE ${operationDurationBuckets.length} END`;

function prepare({ database }: BackfillSource) {
  const sql = statementsOf(database);
  type Account = { readonly account_ref: number };
  type Slots = Account & { readonly fromAt: number; readonly stepMs: number; readonly elsewhere: string };
  return {
    totals: sql.all<[Account], DurationCount>`
      SELECT 0 AS slot, action, ${bucketOf(bound => `upper_bound = ${bound}`)} AS bucket, count, sum_ms
      FROM operation_duration WHERE account_ref = @account_ref`,
    // Operations that another history counted are here from the beginning, so that they are in no increase twice. SQLite makes
    // no index of a column without a type: it would hold every operation against every project.
    slots: sql.all<[Slots], DurationCount>`
      WITH elsewhere AS MATERIALIZED (
        SELECT CAST(value ->> 0 AS INTEGER) AS project_ref, value ->> 1 AS from_at, value ->> 2 AS until_at
        FROM json_each(@elsewhere))
      SELECT CAST(ceil((iif(from_at IS NULL, max(o.updated_at, @fromAt), @fromAt) - @fromAt) / @stepMs) AS INTEGER)
        AS slot, action,
        ${bucketOf(bound => `${tookMs} <= ${bound * 1000}`)} AS bucket,
        count(*) AS count, sum(${tookMs}) AS sum_ms
      FROM operation o JOIN project USING (project_ref)
        LEFT JOIN elsewhere ON elsewhere.project_ref = o.project_ref
          AND o.updated_at >= from_at AND o.updated_at < until_at
      WHERE account_ref = @account_ref AND phase = 'ended'
        AND o.created_at IS NOT NULL AND o.updated_at >= o.created_at - ${orderSlackMs}
      GROUP BY slot, action, bucket ORDER BY slot`,
  };
}
