import { largest, smallest } from '../../resources/extreme.ts';
import { type MeterMetric, meterMetrics } from '../../resources/meter.ts';
import type { MeteredLedger, UsageProject } from '../../resources/usage/ledger.ts';
import type { ReportHistory } from '../usage/report-history.ts';
import type { HistoryPart, RowNumbers } from './history-part.ts';
import { chainedAmount } from './moved-counter.ts';
import type { ProjectLink } from './project-chain.ts';
import type { ProjectDirectory } from './project-directory.ts';

/** Where a project stands that nothing but a meter tells of. */
interface OtherRow {
  readonly part: HistoryPart;
  readonly own: UsageProject;
  readonly project: UsageProject;
}

/** The metered ledgers of several histories; undefined where none of them has one. */
export function mergeMeters(
  parts: readonly HistoryPart[],
  directory: ProjectDirectory,
  numbers: RowNumbers,
): MeteredLedger | undefined {
  if (parts.every(({ history }) => history.usage.metered === undefined)) return undefined;
  const others = new Map(
    listOthers(parts, directory, numbers).map(other => [other.project.project_ref, other]),
  );
  const spans = new Map<string, ReturnType<MeteredLedger['knownSpan']>>();
  return {
    others: [...others.values()].map(({ project }) => project),
    knownSpan: account => {
      if (!spans.has(account)) spans.set(account, joinSpans(parts, directory, account));
      return spans.get(account);
    },
    meteredUntil: (project_ref, metric, at) => {
      const other = others.get(project_ref);
      if (other !== undefined)
        return other.part.history.usage.metered?.meteredUntil(other.own.project_ref, metric, at) ?? 0;
      const chain = directory.get(project_ref);
      const amountOf = ({ part, project }: ProjectLink, until: number) =>
        part.history.usage.metered?.meteredUntil(project.project_ref, metric, until) ?? 0;
      return chain === undefined ? 0 : chainedAmount(chain, at, amountOf);
    },
  };
}

/** A meter tells of the whole account, also to a history that reads a part of its projects: each is taken once. */
function listOthers(
  parts: readonly HistoryPart[],
  directory: ProjectDirectory,
  numbers: RowNumbers,
): readonly OtherRow[] {
  const keyOf = ({ account, project_id }: UsageProject) => JSON.stringify([account, project_id]);
  const taken = new Set(directory.chains.map(({ project }) => keyOf(project)));
  return parts.flatMap(part =>
    (part.history.usage.metered?.others ?? []).flatMap((own): OtherRow[] => {
      if (taken.has(keyOf(own))) return [];
      taken.add(keyOf(own));
      const project_ref = numbers.numberOf({ part, ref: own.project_ref });
      return [{ part, own, project: { ...own, project_ref } }];
    }),
  );
}

/** From the earliest to where the one furthest behind is; undefined where one that has projects of the account has none. */
function joinSpans(parts: readonly HistoryPart[], directory: ProjectDirectory, account: string) {
  const speaking = directory.speaking(account);
  const asked = speaking.length > 0 ? speaking : parts;
  const spans = asked.map(({ history }) => history.usage.metered?.knownSpan(account));
  const known = spans.flatMap(span => span ?? []);
  if (known.length === 0 || (speaking.length > 0 && known.length < spans.length)) return undefined;
  const untilAt = smallest(known.map(each => each.untilAt));
  const all = parts.flatMap(({ history }) => history.usage.metered?.knownSpan(account) ?? []);
  const fromAt = smallest(all.map(each => each.fromAt));
  return fromAt < untilAt ? { fromAt, untilAt } : undefined;
}

/** How finely the meters were told. */
export function mergeMeterCoverage(
  parts: readonly HistoryPart[],
  directory: ProjectDirectory,
  numbers: RowNumbers,
): ReportHistory['meter'] {
  return {
    metrics: () => {
      const told = new Map<number, ReadonlySet<MeterMetric>>();
      for (const part of parts) {
        for (const [ref, metrics] of part.history.meter.metrics()) {
          const row = { part, ref };
          const number = directory.find(row)?.project.project_ref ?? numbers.numberOf(row);
          told.set(number, new Set([...(told.get(number) ?? []), ...metrics]));
        }
      }
      return new Map(
        [...told].map(([number, metrics]) => [number, meterMetrics.filter(each => metrics.has(each))]),
      );
    },
    toldUntil: account => {
      const told = parts.flatMap(({ history }) => history.meter.toldUntil(account) ?? []);
      return told.length === 0 ? undefined : smallest(told);
    },
    sumAround: (account, at) => {
      const found = parts.flatMap(({ history }) => history.meter.sumAround(account, at) ?? []);
      if (found.length === 0) return undefined;
      return {
        fromAt: smallest(found.map(({ fromAt }) => fromAt)),
        untilAt: largest(found.map(({ untilAt }) => untilAt)),
      };
    },
  };
}
