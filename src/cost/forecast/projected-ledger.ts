import { hourMs } from '../../resources/duration.ts';
import type { MeterMetric } from '../../resources/meter.ts';
import type { UsageLedger, UsageProject } from '../../resources/usage/ledger.ts';
import { keepFacts } from '../rating/chosen-ledger.ts';
import { projectMeter } from './projected-meter.ts';

/** What an account is expected to use. */
interface UseToCome {
  /** Epoch milliseconds, no later than now. */
  readonly fromAt: number;
  /** Compute seconds, hour by hour. */
  readonly hours: Float64Array;
  /** Multiplies them all. */
  readonly factor: number;
}

export interface LedgerProjection {
  readonly ledger: UsageLedger;
  /** Until when use is known. */
  readonly now: number;
  /** Recent usage of each project, by its number: it goes on in proportion. */
  readonly recentUse: ReadonlyMap<number, number>;
  /** Absent for accounts without anything expected. */
  readonly useOf: (account: string) => UseToCome | undefined;
  /** By how much more or less a metric grows than it did lately, as a factor; 1 by default. */
  readonly growthOf?: (metric: MeterMetric) => number;
}

/** A ledger with what projects are expected to use, as if it had been used. */
export function projectLedger({ ledger, now, recentUse, useOf, growthOf }: LedgerProjection): UsageLedger {
  const recentOf = ({ project_ref, gone_at }: UsageProject) =>
    gone_at === undefined ? (recentUse.get(project_ref) ?? 0) : 0;
  const recentByAccount = new Map<string, number>();
  for (const project of ledger.projects) {
    const before = recentByAccount.get(project.account) ?? 0;
    recentByAccount.set(project.account, before + recentOf(project));
  }
  const projects = new Map(ledger.projects.map(project => [project.project_ref, project]));
  // Only accounts that are asked for are forecast.
  const usedByAccount = new Map<string, (at: number) => number>();
  const toCome = (project: UsageProject, at: number): number => {
    const { account } = project;
    const part = recentOf(project) / Math.max(recentByAccount.get(account) ?? 0, 1);
    const usedAt = usedByAccount.get(account) ?? accumulate(useOf(account), now);
    usedByAccount.set(account, usedAt);
    return Math.floor(part * usedAt(at));
  };
  /** @param usedUntil use up to now. */
  const goOn = (usedUntil: UsageLedger['usedUntil']): UsageLedger['usedUntil'] => {
    return (project_ref, at) => {
      const used = usedUntil(project_ref, Math.min(at, now));
      const project = at > now ? projects.get(project_ref) : undefined;
      return project === undefined ? used : used + toCome(project, at);
    };
  };
  const facts = keepFacts(ledger);
  return {
    ...facts,
    ...(ledger.metered && { metered: projectMeter(ledger, growthOf) }),
    ...(facts.reconstructedUntil && { reconstructedUntil: goOn(facts.reconstructedUntil) }),
    knownUntil: account => {
      const { fromAt, hours } = useOf(account) ?? {};
      return hours === undefined ? ledger.knownUntil(account) : (fromAt ?? 0) + hours.length * hourMs;
    },
    usedUntil: goOn((project_ref, at) => ledger.usedUntil(project_ref, at)),
  };
}

/** CU-milliseconds expected from now until an instant; within an hour use is even. */
function accumulate(use: UseToCome | undefined, now: number): (at: number) => number {
  if (use === undefined) return () => 0;
  const { fromAt, hours, factor } = use;
  const sums = new Float64Array(hours.length + 1);
  hours.forEach((seconds, hour) => {
    sums[hour + 1] = (sums[hour] ?? 0) + seconds * 1000 * factor;
  });
  const until = (at: number) => {
    const hour = Math.max(0, Math.min(hours.length, (at - fromAt) / hourMs));
    const before = sums[Math.floor(hour)] ?? 0;
    return before + ((sums[Math.ceil(hour)] ?? 0) - before) * (hour % 1);
  };
  const already = until(now);
  return at => until(at) - already;
}
