import { dayMs } from '../../resources/duration.ts';
import { largest, smallest } from '../../resources/extreme.ts';
import type { KeyUse } from '../usage/key-use-query.ts';
import type { ReportHistory } from '../usage/report-history.ts';
import type { HistoryPart } from './history-part.ts';
import type { ProjectDirectory } from './project-directory.ts';

/** Each operation once, as the history that speaks for its project last knows it. */
export function mergeOperations(directory: ProjectDirectory): ReportHistory['operations'] {
  return {
    ended: (project_ref, fromAt, untilAt) => {
      const links = directory.get(project_ref)?.links ?? [];
      const all = links.flatMap(({ part, project }) =>
        part.history.operations.ended(project.project_ref, fromAt, untilAt),
      );
      if (links.length < 2) return all;
      return [...new Map(all.map(operation => [operation.operation_id, operation])).values()];
    },
    isUnread: project_ref => {
      const last = directory.get(project_ref)?.links.at(-1);
      return last?.part.history.operations.isUnread(last.project.project_ref) ?? false;
    },
  };
}

/** The last day that all histories with projects of the account can compare. */
export function mergeComparisons(directory: ProjectDirectory): ReportHistory['ledgerComparisons'] {
  return {
    read: (account, beforeAt) => {
      const speaking = directory.speaking(account);
      const readAll = (at?: number) =>
        speaking.flatMap(({ history }) => history.ledgerComparisons.read(account, at) ?? []);
      const found = readAll(beforeAt);
      const fromAt = smallest(found.map(each => each.fromAt));
      const isSame = found.every(each => each.fromAt === fromAt);
      const untilAt = fromAt + dayMs;
      const same = isSame ? found : readAll(untilAt).filter(each => each.fromAt === fromAt);
      if (same.length === 0) return undefined;
      const sum = (of: (each: (typeof same)[number]) => number) =>
        same.reduce((all, each) => all + of(each), 0);
      return {
        fromAt,
        meteredComputeSeconds: sum(({ meteredComputeSeconds }) => meteredComputeSeconds),
        reportedComputeSeconds: sum(({ reportedComputeSeconds }) => reportedComputeSeconds),
        drifting: same.flatMap(({ drifting }) => drifting),
      };
    },
  };
}

/**
 * Each key once, as the history tells it that listed keys last: another one may be that of a shard which began with a copy
 * and lists none, and to which no key is ever gone.
 */
export function mergeKeys(all: ReportHistory['keys']): ReportHistory['keys'] {
  const byId = Map.groupBy(all, ({ account, key_id }) => JSON.stringify([account, key_id]));
  return [...byId.values()].flatMap(found => {
    const [newest] = found.toSorted(
      (a, b) => b.listed_at - a.listed_at || (b.last_used_at ?? -1) - (a.last_used_at ?? -1),
    );
    if (newest === undefined) return [];
    return [{ ...newest, source_address_changes: largest(found.map(each => each.source_address_changes)) }];
  });
}

/** Uses of each key as the history tells them that saw most of them, and the last one: a copy has but the first of them. */
export function mergeKeyUses(parts: readonly HistoryPart[]): ReportHistory['keyUses'] {
  return {
    read: (account, fromAt, untilAt) => {
      const best = new Map<string, readonly KeyUse[]>();
      for (const { history } of parts) {
        const byKey = Map.groupBy(history.keyUses.read(account, fromAt, untilAt), ({ key_id }) => key_id);
        for (const [key_id, uses] of byKey) {
          if (tellsMore(uses, best.get(key_id) ?? [])) best.set(key_id, uses);
        }
      }
      return [...best.values()].flat();
    },
  };
}

function tellsMore(uses: readonly KeyUse[], others: readonly KeyUse[]): boolean {
  if (uses.length !== others.length) return uses.length > others.length;
  return (uses.at(-1)?.untilAt ?? 0) > (others.at(-1)?.untilAt ?? 0);
}

export function mergeCpuSources(parts: readonly HistoryPart[]): ReportHistory['cpuSources'] {
  const all = parts.flatMap(({ history }) => history.cpuSources);
  return [...Map.groupBy(all, ({ account }) => account)].map(([account, found]) => {
    const ends = found.flatMap(({ untilAt }) => untilAt ?? []);
    return {
      account,
      fromAt: smallest(found.map(({ fromAt }) => fromAt)),
      ...(ends.length === found.length && { untilAt: largest(ends) }),
    };
  });
}
