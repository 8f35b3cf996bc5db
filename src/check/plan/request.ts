/** The sizes a plan is asked for; what is not given comes from the history, or is what is usual. */
export interface FleetSizes {
  /** Projects of each account. */
  readonly projects?: number;
  /** On average. */
  readonly endpointsPerProject?: number;
  /** Part of the projects that have something running, 0 to 1. */
  readonly busy?: number;
  /** A budget to try in place of the configured one. */
  readonly requestsPerMinute?: number;
  /** Exporters that share each account; as the configuration says by default. */
  readonly shards?: number;
}

/** The sizes and the service a plan is for. */
export interface PlanRequest extends FleetSizes {
  /** Projects the service puts on a page of their list. */
  readonly pageSize: number;
}

/** The most projects the service puts on a page of their list. */
export const usualPageSize = 400;

/** The ways a plan is written. */
export const planFormats = ['table', 'json'] as const;
export type PlanFormat = (typeof planFormats)[number];
