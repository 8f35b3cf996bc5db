import type { Finding } from '../../src/resources/finding.ts';
import type { SimulatedAccount } from '../../src/simulator/model/account.ts';
import { settle } from '../../src/simulator/model/endpoint-life.ts';
import type { EndpointSettings, SimulatedEndpoint } from '../../src/simulator/model/project.ts';
import { quarterCuSecondsOf } from './simulated-past.ts';

/** Endpoints that begin later are changed once they have settled. */
const settlingSeconds = 60;
const usualDelaySeconds = 300;

/**
 * Has the findings followed from now on, and on endpoints to come from their beginning.
 *
 * @returns what endpoints had used by now.
 */
export function followFindings(
  account: SimulatedAccount,
  findings: readonly Finding[],
  fromSecond: number,
): ReadonlyMap<SimulatedEndpoint, number> {
  const present = [...account.projects.values()].flatMap(({ endpoints }) => endpoints);
  const usedBefore = new Map(present.map(endpoint => [endpoint, quarterCuSecondsOf(endpoint)]));
  const open = new Map(Map.groupBy(findings, ({ endpoint_id }) => endpoint_id));
  const look = (): void => {
    for (const endpoint of [...account.projects.values()].flatMap(({ endpoints }) => endpoints)) {
      for (const finding of open.get(endpoint.id) ?? []) follow(endpoint, finding);
      open.delete(endpoint.id);
    }
    if (open.size > 0) account.timeline.schedule(account.timeline.now + settlingSeconds, look);
  };
  account.timeline.schedule(fromSecond + 1, look);
  return usedBefore;
}

function follow(endpoint: SimulatedEndpoint, finding: Finding): void {
  quarterCuSecondsOf(endpoint);
  endpoint.settings = { ...endpoint.settings, ...changeBy(finding) };
  settle(endpoint);
}

function changeBy({ kind, advice, advisedDelayMs, periodMs }: Finding): Partial<EndpointSettings> {
  if (kind === 'floor_size') return { minCu: Number(/([\d.]+) CU/.exec(advice)?.[1]) };
  // A job or a check that starts nothing any more, and nobody else who does.
  const isOfJob = kind === 'never_suspends' && periodMs !== undefined && advisedDelayMs === undefined;
  if (kind === 'woken_on_period' || kind === 'woken_by_checks' || isOfJob) return { disabled: true };
  return {
    suspendTimeoutSeconds: advisedDelayMs === undefined ? usualDelaySeconds : advisedDelayMs / 1000,
  };
}
