import { dayMs } from '../../resources/duration.ts';
import type { MeterMetric } from '../../resources/meter.ts';
import type { MeteredLedger, UsageLedger, UsageProject } from '../../resources/usage/ledger.ts';
import { amountNumber } from '../money/money.ts';
import { type CostLine, sumLines } from '../rating/cost-line.ts';

/** The meter goes on as it did for so long, or for as long as a project has been there. */
const recentMs = 7 * dayMs;
/** Less than that shows nothing of how a new project goes on. */
const leastMs = 2 * dayMs;

type MeteredProjects = Pick<UsageLedger, 'metered' | 'projects'>;

/**
 * The meter as it goes on: each metric of each project but compute grows as in the last week that is complete, or since the
 * project was made, until it is gone. Amounts told of later already are no less than that. Undefined where there is no meter.
 *
 * @param growthOf by how much more or less a metric grows, as a factor.
 */
export function projectMeter(
  { metered, projects }: MeteredProjects,
  growthOf: (metric: MeterMetric) => number = () => 1,
): MeteredLedger | undefined {
  if (metered === undefined) return undefined;
  const known = new Map([...projects, ...metered.others].map(project => [project.project_ref, project]));
  const spans = new Map<string, ReturnType<MeteredLedger['knownSpan']>>();
  const spanOf = ({ account }: UsageProject) => {
    if (!spans.has(account)) spans.set(account, metered.knownSpan(account));
    return spans.get(account);
  };
  return {
    others: metered.others,
    knownSpan: account => metered.knownSpan(account),
    meteredUntil: (project_ref, metric, at) => {
      const told = metered.meteredUntil(project_ref, metric, at);
      // Compute is foretold by what was reported.
      if (metric === 'compute_unit_seconds') return told;
      const project = known.get(project_ref);
      const span = project && spanOf(project);
      if (project === undefined || span === undefined || at <= span.untilAt) return told;
      const bornAt = Math.min(project.created_at ?? span.fromAt, span.untilAt - leastMs);
      const fromAt = Math.max(span.fromAt, span.untilAt - recentMs, bornAt);
      const atEnd = metered.meteredUntil(project_ref, metric, span.untilAt);
      const recent = atEnd - metered.meteredUntil(project_ref, metric, fromAt);
      const untilAt = Math.max(span.untilAt, Math.min(at, project.gone_at ?? at));
      const grown = (recent * (untilAt - span.untilAt)) / (span.untilAt - fromAt);
      return Math.max(told, atEnd + Math.floor(growthOf(metric) * grown));
    },
  };
}

/** The cost of the metered things among lines, in the display currency. */
export function meteredCost(
  lines: Iterable<CostLine>,
  isMeant: (project: UsageProject) => boolean = () => true,
): number {
  const metered = Iterator.from(lines).filter(
    ({ kind, project }) => kind === 'metered' && project !== undefined && isMeant(project),
  );
  return amountNumber(sumLines(metered).amount);
}
