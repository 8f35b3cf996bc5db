import type { KeyUse } from '../../../history/usage/key-query.ts';
import { dayColumns, type LakeDay, type PlacedRow, placeOf } from './lake-day.ts';
import { lakeTable } from './lake-table.ts';

interface KeyUseRow extends PlacedRow {
  readonly day: LakeDay;
  readonly use: KeyUse;
}

const shown = ({ day }: KeyUseRow, value: string | null) =>
  day.isPersonal && value !== null ? value : undefined;

/** The uses of API keys, cut at the ends of days; a use from one address that goes on is one. */
export const keyUses = lakeTable<KeyUseRow>({
  name: 'key_uses',
  about: 'A use of an API key from one address, cut at the ends of days; one that goes on is one.',
  columns: [
    ...dayColumns,
    { key: 'key_id', kind: 'text', about: 'The key.', of: row => row.use.key_id },
    { key: 'key_name', kind: 'text', about: 'Its name.', of: ({ use }) => use.key_name ?? undefined },
    {
      ...{ key: 'key_created_at', kind: 'instant', about: 'When it was created.' },
      of: ({ use }) => use.created_at ?? undefined,
    },
    {
      ...{ key: 'first_used_at', kind: 'instant', about: 'When it was first used so in the day.' },
      of: ({ use, day }) => Math.max(use.fromAt, day.fromAt),
    },
    {
      ...{ key: 'last_used_at', kind: 'instant', about: 'When it was last used so in the day.' },
      of: ({ use, day }) => Math.min(use.untilAt, day.untilAt - 1),
    },
    {
      ...{ key: 'last_used_from_addr', kind: 'text', about: 'The address; only with `--personal`.' },
      of: row => shown(row, row.use.last_used_from_addr),
    },
    {
      ...{ key: 'created_by_id', kind: 'text', about: 'Who created it; only with `--personal`.' },
      of: row => shown(row, row.use.created_by_id),
    },
    {
      ...{ key: 'created_by_name', kind: 'text', about: 'The name of that person; only with `--personal`.' },
      of: row => shown(row, row.use.created_by_name),
    },
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
