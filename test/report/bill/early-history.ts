import { dayMs, hourMs } from '../../../src/resources/duration.ts';
import type { MeterAmounts } from '../../../src/resources/meter.ts';
import { monthStart } from '../../../src/resources/utc-month.ts';
import { consumptionReading } from '../../support/meter-builder.ts';
import { answerMeter, type MeteredProject } from '../../support/metered-service.ts';
import {
  instant,
  projectReading,
  projectsReading,
  wireEndpoint,
  wireOperation,
  wireProject,
} from '../../support/reading-builder.ts';
import { meteredPrices } from './metered-history.ts';
import { PricedHistory } from './priced-history.ts';

const startAt = Date.UTC(2026, 10, 20, 12);
const bornAt = Date.UTC(2026, 5, 1);
const created_at = instant(bornAt);
const lateAt = Date.UTC(2026, 9, 20);

/** Half a compute hour in each hour of the first half of a month, and 10 GB stored in all of them. */
function amountsOf(at: number): MeterAmounts {
  const isBusy = new Date(at).getUTCDate() <= 15;
  return { compute_unit_seconds: isBusy ? 1800 : 0, root_branch_bytes_month: 10e9 };
}

/**
 * A project that was there from June on and is watched since 20 November 2026, noon. Its counter says 400 hours of one unit
 * that is always awake: those since the evening of the third. Its meter is read as at a first start, and again a day later.
 */
export class EarlyHistory extends PricedHistory {
  readonly #hasAnother: boolean;

  /** @param hasAnother whether there is a project besides, created on 20 October, whose counter is known from its beginning on. */
  constructor(hasAnother = false) {
    super(meteredPrices, startAt + dayMs);
    this.#hasAnother = hasAnother;
    const hours = Array.from({ length: (startAt - bornAt) / hourMs }, (_, index) =>
      amountsOf(bornAt + index * hourMs),
    );
    this.#watch(startAt, 400);
    this.#watch(this.now, 424);
    for (const now of [startAt, this.now])
      this.#readMeter({ project_id: 'p-old', fromAt: bornAt, hours }, now);
  }

  #watch(now: number, hours: number): void {
    const watched = [
      { id: 'p-old', created_at, hours },
      ...(this.#hasAnother
        ? [{ id: 'p-late', created_at: instant(lateAt), hours: (now - lateAt) / hourMs }]
        : []),
    ];
    const items = watched.map(({ id, created_at: created, hours: used }) =>
      wireProject(id, { name: id.slice(2), created_at: created, cpu_used_sec: used * 3600 }),
    );
    this.history.commitOne(projectsReading(now, items));
    for (const { id, created_at: created } of watched) {
      const size = { autoscaling_limit_min_cu: 1, autoscaling_limit_max_cu: 1 };
      const endpoint = { ...size, created_at: created, current_state: 'active' };
      const started = {
        endpoint_id: `ep-${id}`,
        action: 'start_compute',
        created_at: created,
        updated_at: created,
      };
      this.history.commitOne(
        projectReading(now, id, {
          endpoints: [wireEndpoint(`ep-${id}`, endpoint)],
          operations: [wireOperation(`started ${id}`, started)],
        }),
      );
    }
  }

  #readMeter(project: MeteredProject, now: number): void {
    for (const [granularity, fromAt] of [
      ['monthly', monthStart(now, -11)],
      ['daily', Math.floor(now / dayMs) * dayMs - 59 * dayMs],
      ['hourly', now - 167 * hourMs],
    ] as const) {
      const told = answerMeter([project], { granularity, fromAt, untilAt: now }, now, 0);
      this.history.commitOne(consumptionReading(now, told, { granularity }));
    }
  }
}
