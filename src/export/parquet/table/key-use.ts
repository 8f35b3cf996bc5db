import type { KeyUse } from '../../../history/usage/key-query.ts';
import { type ParquetDay, type PlacedRow, placeOf } from './parquet-day.ts';
import { column, parquetTable } from './parquet-table.ts';

interface KeyUseRow extends PlacedRow {
  readonly day: ParquetDay;
  readonly use: KeyUse;
}

const shown = ({ day }: KeyUseRow, value: string | null) => (day.isPersonal ? value : undefined);

/** The uses of API keys, cut at the ends of days; a use from one address that goes on is one. */
export const keyUses = parquetTable<KeyUseRow>({
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
    for (const use of history.keyUses.read(account, fromAt, untilAt)) yield { place, day, use };
  },
});
