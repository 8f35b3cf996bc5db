import type { KnownEndpoint } from '../../history/usage/endpoint-activity-query.ts';
import type { ReportHistory } from '../../history/usage/report-history.ts';
import { dayMs, type Span } from '../../resources/duration.ts';
import type { UsageProject } from '../../resources/usage/ledger.ts';
import { type RolledLedger, rollLedger } from './rolled-ledger.ts';
import { unattributed } from './scope.ts';

/** Cuts a span at the midnights of UTC, oldest first. */
export function cutByDay({ fromAt, untilAt }: Span): Span[] {
  const days: Span[] = [];
  for (let at = fromAt; at < untilAt; ) {
    const next = Math.min((Math.floor(at / dayMs) + 1) * dayMs, untilAt);
    days.push({ fromAt: at, untilAt: next });
    at = next;
  }
  return days;
}

/** The endpoints of a project with the proportion in which they used compute; `unattributed` alone where none is known to have. */
export interface EndpointWeights {
  readonly endpointIds: readonly string[];
  readonly weights: readonly number[];
}

/** Shares the use of a project out to its endpoints, in proportion to the mean of their reconstructed bounds. */
export class EndpointShare {
  readonly #history: ReportHistory;
  readonly #endpoints = new Map<number, readonly KnownEndpoint[]>();
  readonly ledger: RolledLedger;

  constructor(history: ReportHistory, span: Span) {
    this.#history = history;
    this.ledger = rollLedger(history, span);
  }

  /** @param span within one day of UTC. */
  weightsOf({ project_ref }: UsageProject, { fromAt, untilAt }: Span): EndpointWeights {
    const endpoints = this.#endpoints.get(project_ref) ?? this.#history.activity.endpoints(project_ref);
    this.#endpoints.set(project_ref, endpoints);
    const weighed = endpoints
      .map(({ endpoint_ref, endpoint_id }) => ({
        endpoint_id,
        weight: Math.round(this.#grown(endpoint_ref, fromAt, untilAt)),
      }))
      .filter(({ weight }) => weight > 0);
    return weighed.length === 0
      ? { endpointIds: [unattributed], weights: [1] }
      : {
          endpointIds: weighed.map(({ endpoint_id }) => endpoint_id),
          weights: weighed.map(({ weight }) => weight),
        };
  }

  #grown(endpoint_ref: number, fromAt: number, untilAt: number): number {
    return this.ledger.computeUntil(endpoint_ref, untilAt) - this.ledger.computeUntil(endpoint_ref, fromAt);
  }
}
