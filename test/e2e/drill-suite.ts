import { afterAll, beforeAll, describe, test, vi } from 'vitest';
import type { SeriesMode } from '../../src/resources/family-selection.ts';
import { describeWithPeers } from '../support/peer.ts';
import { type DrillFault, type DrillFaults, drillPatience, type Labels } from './drill-injection.ts';
import { type Drill, openDrill } from './drill-world.ts';

vi.setConfig({ testTimeout: 600_000, maxConcurrency: 100 });

const peers = ['prometheus', 'promtool', 'prometheus-alertmanager'] as const;

/** Each of these faults, on a page of this mode, until people are told of it and then that all is well. */
export function describeDrill(mode: SeriesMode, { together, alone }: DrillFaults): void {
  describeWithPeers(peers, `a notification arrives, and then that all is well, ${mode}`, paths => {
    let drill: Drill;

    beforeAll(async () => {
      drill = await openDrill(paths, mode);
    });

    afterAll(async () => await drill?.close());

    /** Waits for the next notification of this kind after the first `from`, and says how many had come by then. */
    async function untilNotified(
      status: 'firing' | 'resolved',
      alertname: string,
      labels: Labels,
      from: number,
    ): Promise<number> {
      const wanted = Object.entries({ ...labels, alertname });
      return vi.waitFor(() => {
        const index = drill.alertmanager
          .notifications()
          .findIndex(
            (found, at) =>
              at >= from &&
              found.status === status &&
              wanted.every(([label, value]) => found.labels[label] === value),
          );
        if (index < 0) throw new Error(`no notification that ${alertname} is ${status}: ${wanted.join(' ')}`);
        return index + 1;
      }, drillPatience);
    }

    async function tell({ alerts, inject }: DrillFault): Promise<void> {
      const before = drill.alertmanager.notifications().length;
      const { labels, labelsOf, mend, clear } = await inject(drill);
      const untilAll = (status: 'firing' | 'resolved', from: number) =>
        Promise.all(
          alerts.map(alert => untilNotified(status, alert, { ...labels, ...labelsOf?.[alert] }, from)),
        );
      try {
        const firedBy = Math.max(...(await untilAll('firing', before)));
        await mend();
        await untilAll('resolved', firedBy);
      } finally {
        await clear?.();
      }
    }

    const tellEach = (faults: readonly DrillFault[]) => {
      for (const each of faults)
        test(`${each.alerts.join(', ')}: ${each.fault}, until ${each.mended}`, () => tell(each));
    };
    describe.concurrent('all at once', () => tellEach(together));
    describe('one after the other', () => tellEach(alone));
  });
}
