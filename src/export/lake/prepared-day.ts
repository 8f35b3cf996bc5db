import type { Config } from '../../config/config.ts';
import { fingerprintOf } from '../../cost/price/fingerprint.ts';
import { createCosting } from '../../cost/rating/costing.ts';
import { shareByGroup } from '../../cost/rating/group-share.ts';
import type { EndedOperation } from '../../history/usage/operation-query.ts';
import type { ReportHistory } from '../../history/usage/report-history.ts';
import { RolledLedger } from '../../report/row/rolled-ledger.ts';
import { keepClosed } from '../../report/row/scoped-cost.ts';
import type { SettledDay } from './settled-day.ts';
import type { LakeDay } from './table/lake-day.ts';

/**
 * Days with all that their rows are made of, which is worked out once for all of them.
 *
 * @param days of one account, oldest first.
 */
export function prepareDays(
  history: ReportHistory,
  { pricing, groupings }: Config,
  isPersonal: boolean,
  days: readonly SettledDay[],
): readonly LakeDay[] {
  const groups = shareByGroup(groupings);
  const [first, last] = [days[0], days.at(-1)];
  if (first === undefined || last === undefined) return [];
  const span = { fromAt: first.fromAt, untilAt: last.untilAt };
  const ledger = new RolledLedger(history, span);
  const prices = pricing && {
    book: pricing,
    costing: keepClosed(
      createCosting({ book: pricing, ledger, groupsOf: groups.groupsOf }),
      pricing,
      history,
    ),
    fingerprint: fingerprintOf(pricing),
  };
  // A group of owners names a person.
  const shown = groupings.filter(({ by }) => isPersonal || by !== 'owner');
  const endedIn = rememberEnded(history, span);
  // The end of a day is the beginning of the next one.
  const { activity, usage } = history;
  const computeUntil = rememberLast((ref, at) => activity.computeUntil(ref, at));
  const usedUntil = rememberLast((ref, at) => usage.usedUntil(ref, at));
  const endpoints = remember(ref => activity.endpoints(ref));
  return days.map(day => ({
    ...day,
    ...{ history, groups, groupings: shown, isPersonal },
    ...{ computeUntil, usedUntil, endpoints },
    ended: project_ref => endedIn(project_ref, day),
    ...(prices && { prices }),
  }));
}

interface Span {
  readonly fromAt: number;
  readonly untilAt: number;
}

/** Keeps what was read last of each row. */
function rememberLast<Read>(read: (ref: number, at: number) => Read): (ref: number, at: number) => Read {
  const known = new Map<number, { readonly at: number; readonly found: Read }>();
  return (ref, at) => {
    const last = known.get(ref);
    if (last?.at === at) return last.found;
    const found = read(ref, at);
    known.set(ref, { at, found });
    return found;
  };
}

/** Reads what there is of each row once. */
function remember<Read>(read: (ref: number) => Read): (ref: number) => Read {
  const known = new Map<number, Read>();
  return ref => {
    const found = known.get(ref) ?? read(ref);
    known.set(ref, found);
    return found;
  };
}

/** Looks through the operations of a project once, as nothing orders them by when they ended. */
function rememberEnded({ operations }: ReportHistory, { fromAt, untilAt }: Span) {
  const endedOf = remember(project_ref => operations.ended(project_ref, fromAt, untilAt));
  return (project_ref: number, day: Span): readonly EndedOperation[] =>
    endedOf(project_ref).filter(({ endedAt }) => endedAt >= day.fromAt && endedAt < day.untilAt);
}
