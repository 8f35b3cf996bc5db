import { isOneUse } from '../ledger/one-use.ts';
import type { AwakeRows, UseRow } from '../usage/awake-span.ts';

/** Rows of one history, which the next one goes on with, and when it last read what they are of. */
export interface ReadRows extends AwakeRows {
  readonly cutAt: number;
  readonly readUntilAt: number;
}

/** Joins the values by one history until an instant and by the other from then on, each where it differs from the one before. */
export function joinDated<Dated extends { readonly fromAt: number }>(
  before: readonly Dated[],
  after: readonly Dated[],
  cutAt: number,
  isSame: (one: Dated, other: Dated) => boolean,
): readonly Dated[] {
  const held = after.findLast(({ fromAt }) => fromAt <= cutAt);
  return [
    ...before.filter(({ fromAt }) => fromAt < cutAt),
    ...(held === undefined ? [] : [{ ...held, fromAt: cutAt }]),
    ...after.filter(({ fromAt }) => fromAt > cutAt),
  ].filter((each, index, all) => {
    const last = all[index - 1];
    return last === undefined || !isSame(last, each);
  });
}

interface DatedState {
  readonly fromAt: number;
  readonly isActive: number;
}

function isSameState(one: DatedState, other: DatedState): boolean {
  return one.isActive === other.isActive;
}

/** States and uses as one history would have them that read what several did, one after another. */
export function joinRows(parts: readonly ReadRows[]): AwakeRows {
  return {
    states: parts
      .reduce<readonly DatedState[]>((before, { states, cutAt }) => {
        const after = states.map(([fromAt, isActive]) => ({ fromAt, isActive }));
        return joinDated(before, after, cutAt, isSameState);
      }, [])
      .map(({ fromAt, isActive }) => [fromAt, isActive]),
    uses: parts.reduce<readonly UseRow[]>(
      (before, { uses }, index) => joinUses(before, uses, parts[index - 1]?.readUntilAt),
      [],
    ),
  };
}

/** The first use that a history saw has no reading before it but those of the one before. */
function joinUses(
  before: readonly UseRow[],
  after: readonly UseRow[],
  readUntilAt: number | undefined,
): readonly UseRow[] {
  const last = before.at(-1);
  const own = last === undefined ? after : after.filter(({ until_at }) => until_at > last.until_at);
  const [first, ...later] = own;
  if (readUntilAt === undefined || first === undefined) return [...before, ...own];
  if (last !== undefined && isOneUse(last.until_at, first.from_at))
    return [...before.slice(0, -1), { ...last, until_at: first.until_at }, ...later];
  const quiet_until_at = Math.min(Math.max(readUntilAt, first.quiet_until_at ?? readUntilAt), first.from_at);
  return [...before, { ...first, quiet_until_at }, ...later];
}
