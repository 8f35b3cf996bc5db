import { Counter, Gauge, type Registry } from 'prom-client';
import { metricOptions } from './metric-option.ts';
import { selfFamilies } from './self-family.ts';

/** A daemon as one of several on the same history. */
export interface SuccessionState {
  readonly isStandby: boolean;
  /** Takeovers by all daemons, ever; undefined while they are not known. */
  readonly takeovers: number | undefined;
}

/** Shows whether it is a standby, and how often one took over; nothing where it waits for nobody. */
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
