import { Counter, Gauge, type Registry } from 'prom-client';
import { seconds } from '../resources/family.ts';
import { type SelfFamily, selfFamilies } from './self-family.ts';

/** How hard the request budget of an account is pressed; instants and durations in milliseconds. */
export interface AccountPressure {
  readonly demandPerMinute: number;
  /** Absent when nothing is overdue. */
  readonly oldestDueAt?: number;
  /** Both since the start. */
  readonly skippedSweeps: number;
  readonly lateIdle: number;
  readonly sweepIntervalMs: number;
  readonly listLagMs: number;
  readonly light: boolean;
}

/** By account. */
export type ReadPressures = () => Iterable<readonly [account: string, pressure: AccountPressure]>;

/** Declares the metrics of the pressure on the request budgets; they are read at every scrape. */
export function declarePressure(registry: Registry, read: ReadPressures): void {
  const options = ({ name, help, labels }: SelfFamily) => ({
    name,
    help,
    labelNames: [...labels],
    registers: [registry],
  });
  const declareGauge = (family: SelfFamily, measure: (pressure: AccountPressure) => number | undefined) =>
    new Gauge({
      ...options(family),
      collect() {
        // What has no value now must not keep the one it had.
        this.reset();
        for (const [account, pressure] of read()) {
          const value = measure(pressure);
          if (value !== undefined) this.set({ account }, value);
        }
      },
    });
  declareGauge(selfFamilies.requestDemand, ({ demandPerMinute }) => demandPerMinute);
  declareGauge(selfFamilies.oldestDueTimestamp, ({ oldestDueAt }) => seconds(oldestDueAt));
  declareGauge(selfFamilies.sweepInterval, ({ sweepIntervalMs }) => seconds(sweepIntervalMs));
  declareGauge(selfFamilies.listLag, ({ listLagMs }) => seconds(listLagMs));
  declareGauge(selfFamilies.lightReadings, ({ light }) => Number(light));
  new Counter({
    ...options(selfFamilies.workSkipped),
    collect() {
      // The pollers count; this only shows what they have counted.
      this.reset();
      for (const [account, { skippedSweeps, lateIdle }] of read()) {
        this.inc({ account, work: 'sweep' }, skippedSweeps);
        this.inc({ account, work: 'idle_reading' }, lateIdle);
      }
    },
  });
}
