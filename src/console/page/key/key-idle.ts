import type { KeyAnswer } from './key-schema.ts';

/** Milliseconds for which a key was not used, until now or until it was gone; null where that is not known. */
export function idleMs(
  { idle_since, gone_at }: Pick<KeyAnswer, 'idle_since' | 'gone_at'>,
  now: number,
): number | null {
  if (idle_since === null) return null;
  return (gone_at === null ? now : Date.parse(gone_at)) - Date.parse(idle_since);
}
