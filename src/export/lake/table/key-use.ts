import { instant, text } from './column.ts';
import { dayCells, dayColumns } from './lake-day.ts';
import type { LakeTable } from './lake-table.ts';

/** The uses of API keys, cut at the ends of days; a use from one address that goes on is one. */
export const keyUses: LakeTable = {
  name: 'key_uses',
  columns: [
    ...dayColumns,
    { name: 'key_id', type: text },
    { name: 'key_name', type: text },
    { name: 'key_created_at', type: instant },
    { name: 'first_used_at', type: instant },
    { name: 'last_used_at', type: instant },
    { name: 'last_used_from_addr', type: text },
    { name: 'created_by_id', type: text },
    { name: 'created_by_name', type: text },
  ],
  keptFromAt: () => 0,
  *rows(day) {
    const { account, fromAt, untilAt, isPersonal, history } = day;
    // Shard 0 reads the keys: another one that began with a copy would write the uses in it once more.
    if (history.missingShards(account).some(({ index }) => index === 0)) return;
    const cells = dayCells(day);
    const shown = (value: string | null) => (isPersonal ? (value ?? undefined) : undefined);
    for (const use of history.keyUses.read(account, fromAt, untilAt)) {
      yield [
        ...cells,
        ...[use.key_id, use.key_name ?? undefined, use.created_at ?? undefined],
        ...[Math.max(use.fromAt, fromAt), Math.min(use.untilAt, untilAt - 1)],
        ...[shown(use.last_used_from_addr), shown(use.created_by_id), shown(use.created_by_name)],
      ];
    }
  },
};
