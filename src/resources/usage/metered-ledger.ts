import type { MeterMetric } from '../meter.ts';

/** What the service metered of projects, in its own units. Instants are epoch milliseconds by the service's clock. */
export interface MeteredLedger {
  /** The stretch of which all projects of an account are metered wholly; undefined while there is none. */
  knownSpan(account: string): { readonly fromAt: number; readonly untilAt: number } | undefined;
  /** The whole amount of a metric before an instant: never less for a later one. Within a timeframe it grows evenly. */
  meteredUntil(project_ref: number, metric: MeterMetric, at: number): number;
}
