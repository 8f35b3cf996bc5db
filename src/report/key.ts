import { dayMs } from '../resources/duration.ts';
import type { ReportContent, ReportSubject } from './content.ts';
import type { Column } from './format/report.ts';

const columns: readonly Column[] = [
  { key: 'account', kind: 'text' },
  { key: 'key_name', kind: 'text' },
  { key: 'key_id', kind: 'text' },
  { key: 'created_at', kind: 'instant' },
  { key: 'last_used_at', kind: 'instant' },
  { key: 'last_used_from_addr', kind: 'text' },
  { key: 'idle_days', kind: 'decimal' },
  { key: 'stale', kind: 'flag' },
  { key: 'gone_at', kind: 'instant' },
];
/** Whose a key is; only where the service says so. */
const personColumns: readonly Column[] = [
  { key: 'created_by', kind: 'text' },
  { key: 'created_by_id', kind: 'text', isForPrograms: true },
];

/** The report of API keys that existed in the period, those unused for longest first. */
export function reportKeys({ history, request }: ReportSubject): ReportContent {
  const { span, config } = request;
  const { fromAt, untilAt } = span;
  const keys = history.keys
    .filter(({ gone_at, created_at }) => (gone_at ?? untilAt) >= fromAt && (created_at ?? 0) < untilAt)
    .map(key => {
      const idleSinceAt = key.last_used_at ?? key.created_at;
      const endAt = Math.min(key.gone_at ?? untilAt, untilAt);
      return { ...key, idleMs: idleSinceAt === null ? undefined : Math.max(0, endAt - idleSinceAt) };
    })
    .sort((a, b) => (b.idleMs ?? -1) - (a.idleMs ?? -1));
  const hasPeople = keys.some(({ created_by_id, created_by_name }) => created_by_id ?? created_by_name);
  return {
    title: 'API keys',
    columns: [...columns, ...(hasPeople ? personColumns : [])],
    rows: keys.map(key => [
      key.account,
      key.key_name ?? '',
      key.key_id,
      key.created_at ?? undefined,
      key.last_used_at ?? { missing: 'never' },
      key.last_used_from_addr ?? '',
      key.idleMs === undefined ? undefined : (key.idleMs / dayMs).toFixed(1),
      key.idleMs === undefined ? undefined : key.idleMs > config.keys.staleAfterMs,
      key.gone_at ?? undefined,
      ...(hasPeople ? [key.created_by_name ?? key.created_by_id ?? '', key.created_by_id ?? ''] : []),
    ]),
    notes: [
      `A key is stale that was not used for longer than keys.stale_after, ${config.keys.staleAfterMs / dayMs} days; idle days count from its creation where it was never used.`,
    ],
    gaps: [],
  };
}
