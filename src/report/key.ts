import { isUseUndated } from '../resources/api-key.ts';
import { dayMs } from '../resources/duration.ts';
import type { ReportContent, ReportSubject } from './content.ts';
import { column, notKnown, type TypedColumn, tabulate } from './format/report.ts';
import { type JudgedKey, judgeKeys } from './key-verdict.ts';

const columns = [
  column('account', 'text', 'The account.', row => row.account),
  column('key_name', 'text', 'The name of the key.', ({ key_name }) => key_name ?? ''),
  column('key_id', 'text', 'The id of the key.', row => row.key_id),
  column('created_at', 'instant', 'When the key was created.', ({ created_at }) => created_at ?? undefined),
  column(
    'last_used_at',
    'instant',
    'When the key was last used.',
    key => key.last_used_at ?? (isUseUndated(key) ? notKnown : { missing: 'never' }),
  ),
  {
    ...{ key: 'last_used_from_addr', kind: 'text', about: 'The address it was last used from.' },
    isPersonal: true,
    of: ({ last_used_from_addr }) => last_used_from_addr ?? '',
  },
  column('idle_days', 'decimal', 'Days since its last use, or else its creation.', ({ idleMs }) =>
    idleMs === undefined ? undefined : (idleMs / dayMs).toFixed(1),
  ),
  column(
    'stale',
    'flag',
    'Whether it was unused for longer than keys.stale_after.',
    ({ isStale }) => isStale,
  ),
  column('gone_at', 'instant', 'When the key was found to be gone.', ({ gone_at }) => gone_at ?? undefined),
  column(
    'verdict',
    'word',
    'What can be done about it: safe_to_revoke, ask_first, in_use or gone.',
    ({ verdict }) => verdict,
  ),
  {
    ...{ key: 'is_own', kind: 'flag', isForPrograms: true },
    about: 'Whether dbpm-exporter reads with it; empty where several keys can be meant.',
    of: ({ isOwn }) => isOwn,
  },
  column('reason', 'sentence', 'Why that can be done.', ({ reason }) => reason),
] satisfies readonly TypedColumn<JudgedKey>[];
/** The owner of a key; only where the service says so. */
const personColumns = [
  {
    ...{ key: 'created_by', kind: 'text', about: 'The name of the person who created it, or else the id.' },
    isPersonal: true,
    of: ({ created_by_name, created_by_id }) => created_by_name ?? created_by_id ?? '',
  },
  {
    ...{ key: 'created_by_id', kind: 'text', about: 'The id of the person who created it.' },
    ...{ isForPrograms: true, isPersonal: true },
    of: ({ created_by_id }) => created_by_id ?? '',
  },
] satisfies readonly TypedColumn<JudgedKey>[];

/** The columns of API keys. */
export const keyColumns = [...columns, ...personColumns];

/** The report of API keys that existed in the period, those unused for longest first. */
export function reportKeys({ history, request }: ReportSubject): ReportContent {
  const { span, config } = request;
  const { fromAt, untilAt } = span;
  const { staleAfterMs } = config.keys;
  const known = history.keys.filter(
    ({ gone_at, created_at }) => (gone_at ?? untilAt) >= fromAt && (created_at ?? 0) < untilAt,
  );
  const keys = judgeKeys(known, { at: untilAt, staleAfterMs }).toSorted(
    (a, b) => (b.idleMs ?? -1) - (a.idleMs ?? -1),
  );
  const hasPeople = keys.some(({ created_by_id, created_by_name }) => created_by_id ?? created_by_name);
  return {
    title: 'API keys',
    ...tabulate([...columns, ...(hasPeople ? personColumns : [])], keys),
    notes: [
      `A key is stale that was not used for longer than keys.stale_after, ${staleAfterMs / dayMs} days; idle days count from its creation where it was never used.`,
    ],
    gaps: [],
  };
}
