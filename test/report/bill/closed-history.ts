import {
  instant,
  projectReading,
  projectsReading,
  wireEndpoint,
  wireOperation,
  wireProject,
} from '../../support/reading-builder.ts';
import { PricedHistory } from './priced-history.ts';

const at = (text: string) => Date.parse(`2026-${text}:00Z`);

export const usualPrices = `
pricing:
  currency: USD
  plans:
    - name: scale
      prices: [{from: 2026-01-01, per_compute_hour: 0.16}]
      minimum: 15
`;

/**
 * A project of one compute unit that used 78 hours on the first days of October, and 24 hours between the last of October
 * and 2 November, of which nobody knows at first on which of the two days.
 */
export class ClosedHistory extends PricedHistory {
  constructor() {
    super(usualPrices, at('11-03T09:00'));
    this.history.commitOne(projectsReading(at('09-30T00:00'), []));
    for (const [when, hours] of [
      ['10-01T00:00', 0],
      ['10-05T00:00', 78],
      ['10-31T00:00', 78],
      ['11-02T00:00', 102],
      ['11-03T08:59', 102],
    ] as const) {
      this.list(when, hours);
    }
  }

  list(when: string, hours: number): void {
    const fields = { created_at: '2026-10-01T00:00:00Z', name: 'shop', cpu_used_sec: hours * 3600 };
    this.history.commitOne(projectsReading(at(when), [wireProject('p-shop', fields)]));
  }

  /** Operations are read which say that all of the 24 hours were on the last day of October. */
  findLater(): void {
    const created_at = '2026-10-01T00:00:00Z';
    const size = { autoscaling_limit_min_cu: 1, autoscaling_limit_max_cu: 1 };
    const operation = (action: string, when: string) => {
      const times = { created_at: instant(at(when) - 2000), updated_at: instant(at(when)) };
      return wireOperation(`${action} ${when}`, { endpoint_id: 'ep-1', action, ...times });
    };
    this.history.commitOne(
      projectReading(at('11-03T09:00'), 'p-shop', {
        endpoints: [wireEndpoint('ep-1', { ...size, created_at })],
        operations: [
          operation('suspend_compute', '11-01T00:00'),
          operation('start_compute', '10-31T00:00'),
          operation('suspend_compute', '10-04T06:00'),
          operation('start_compute', '10-01T00:00'),
        ],
      }),
    );
  }
}
