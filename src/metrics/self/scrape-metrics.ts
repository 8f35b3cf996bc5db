import { Counter, Gauge, type Registry } from 'prom-client';
import { seconds } from '../../resources/family.ts';
import type { RequestPressure } from '../../resources/request-budget.ts';
import { type SelfFamily, selfFamilies } from './self-family.ts';

/** By account. */
export type ReadPressures = () => Iterable<readonly [account: string, pressure: RequestPressure]>;

/** Declares the metrics of the pressure on the request budgets; they are read at every scrape. */
export function declarePressure(registry: Registry, read: ReadPressures): void {
  const declareGauge = (family: SelfFamily, measure: (pressure: RequestPressure) => number | undefined) =>
    new Gauge({
      ...metricOptions(family, registry),
      collect() {
        // A series without a value now must not keep the one it had.
        this.reset();
        for (const [account, pressure] of read()) {
          const value = measure(pressure);
          if (value !== undefined) this.set({ account }, value);
        }
      },
    });
  declareGauge(selfFamilies.requestDemand, ({ demandPerMinute }) => demandPerMinute);
  declareGauge(selfFamilies.oldestDueTimestamp, ({ oldestDueAt }) => seconds(oldestDueAt));
  declareGauge(selfFamilies.listPollInterval, ({ listPollIntervalMs }) => seconds(listPollIntervalMs));
  declareGauge(selfFamilies.listLag, ({ listLagMs }) => seconds(listLagMs));
  declareGauge(selfFamilies.partialPolls, ({ partialPolls }) => Number(partialPolls));
  new Counter({
    ...metricOptions(selfFamilies.workSkipped, registry),
    collect() {
      // The pollers count; this only shows what they have counted.
      this.reset();
      for (const [account, { skippedListPolls, lateIdle }] of read()) {
        this.inc({ account, work: 'sweep' }, skippedListPolls);
        this.inc({ account, work: 'idle_reading' }, lateIdle);
      }
    },
  });
}

/** A daemon as one of several on the same history. */
export interface SuccessionState {
  readonly isStandby: boolean;
  /** Takeovers by all daemons, ever; undefined while they are not known. */
  readonly takeovers: number | undefined;
}

/** Shows whether it is a standby, and how often one took over; nothing where it waits for no other daemon. */
export function declareSuccession(registry: Registry, read: () => SuccessionState | undefined): void {
  new Gauge({
    ...metricOptions(selfFamilies.standby, registry),
    collect() {
      const state = read();
      if (state === undefined) this.remove();
      else this.set(Number(state.isStandby));
    },
  });
  new Counter({
    ...metricOptions(selfFamilies.takeovers, registry),
    collect() {
      const takeovers = read()?.takeovers;
      this.remove();
      if (takeovers !== undefined) this.inc(takeovers);
    },
  });
}

/** A declared family as prom-client wants it. */
export function metricOptions({ name, help, labels }: SelfFamily, registry: Registry) {
  return { name, help, labelNames: [...labels], registers: [registry] };
}
