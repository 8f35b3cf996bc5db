import type { KnownEndpoint } from '../../history/usage/endpoint-activity-query.ts';
import type { ReportHistory } from '../../history/usage/report-history.ts';
import { dayMs } from '../../history/usage/roll-up-grid.ts';
import type { UsageProject } from '../../resources/usage/ledger.ts';
import { RolledLedger } from './rolled-ledger.ts';
import { notTold } from './scope.ts';

/** A stretch within one day of UTC. */
export interface DayStretch {
  readonly fromAt: number;
  readonly untilAt: number;
}

/** A period cut at the midnights of UTC. */
export function cutByDay({ fromAt, untilAt }: DayStretch): DayStretch[] {
  const days: DayStretch[] = [];
  for (let at = fromAt; at < untilAt; ) {
    const next = Math.min((Math.floor(at / dayMs) + 1) * dayMs, untilAt);
    days.push({ fromAt: at, untilAt: next });
    at = next;
  }
  return days;
}

/** In what proportion endpoints of a project used compute; a single weight for `notTold` where none is known to have. */
export interface EndpointWeights {
  readonly endpointIds: readonly string[];
  readonly weights: readonly number[];
}

/** Tells by what was reconstructed of the endpoints, the mean of both bounds. */
export class EndpointShare {
  readonly #past: ReportHistory;
  readonly #endpoints = new Map<number, readonly KnownEndpoint[]>();
  readonly ledger: RolledLedger;

  constructor(past: ReportHistory, span: DayStretch) {
    this.#past = past;
    this.ledger = new RolledLedger(past, span);
  }

  weightsOf({ project_ref }: UsageProject, { fromAt, untilAt }: DayStretch): EndpointWeights {
    const endpoints = this.#endpoints.get(project_ref) ?? this.#past.activity.endpoints(project_ref);
    this.#endpoints.set(project_ref, endpoints);
    const weighed = endpoints
      .map(({ endpoint_ref, endpoint_id }) => ({
        endpoint_id,
        weight: Math.round(this.#grown(endpoint_ref, fromAt, untilAt)),
      }))
      .filter(({ weight }) => weight > 0);
    return weighed.length === 0
      ? { endpointIds: [notTold], weights: [1] }
      : {
          endpointIds: weighed.map(({ endpoint_id }) => endpoint_id),
          weights: weighed.map(({ weight }) => weight),
        };
  }

  #grown(endpoint_ref: number, fromAt: number, untilAt: number): number {
    return this.ledger.computeUntil(endpoint_ref, untilAt) - this.ledger.computeUntil(endpoint_ref, fromAt);
  }
}
