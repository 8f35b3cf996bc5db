import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { findSpellings } from '../../support/canary.ts';
import { mayMount } from '../../support/mount-namespace.ts';
import { patience } from '../../support/patience.ts';
import { describeWithPeers } from '../../support/peer.ts';
import { worldKey } from '../simulated-world.ts';
import { watchedAlerts } from './fault-rule.ts';
import type { MachineFault } from './machine-fault.ts';
import { openMachineStage, type WatchedStage } from './machine-stage.ts';

const mostMegabytes = 400;

/** Every fault in turn on one machine, whose alerts a real Prometheus evaluates. */
export function describeMachineFaults(title: string, faults: readonly MachineFault[]): void {
  describeWithPeers(['prometheus'], title, paths => {
    const stopped = new AbortController();
    let stage: WatchedStage;
    let firing: readonly string[] = [];
    let raised = new Set<string>();
    let watching: Promise<void> | undefined;

    beforeAll(async () => {
      stage = await openMachineStage(paths.prometheus);
      // Until then it knows of no exporter, which is an alert too.
      await vi.waitFor(async () => expect(await stage.prometheus.query('up == 1')).not.toEqual([]), patience);
      watching = (async () => {
        while (!stopped.signal.aborted) {
          const samples = await stage.prometheus.query('ALERTS{alertstate="firing"}');
          const names = new Set(samples.map(({ labels }) => labels.alertname));
          firing = watchedAlerts.filter(name => names.has(name)).toSorted();
          raised = raised.union(new Set(firing));
          await pause(300);
        }
      })();
    });

    afterAll(async () => {
      stopped.abort();
      await watching;
      await stage?.close();
    });

    const untilQuiet = () => vi.waitFor(() => expect(firing).toEqual([]), patience);

    test.for(faults)('$fault', async (row, context) => {
      const { signs, alerts, down = false, restarts = false, mounts = false, log } = row;
      if (mounts && !mayMount()) context.skip();
      await stage.running();
      await untilQuiet();
      raised = new Set();
      const before = warnings(stage.log());
      await row.inflict(stage);
      if (!down) await stage.until(signs);
      await vi.waitFor(() => expect([...raised]).toEqual(expect.arrayContaining([...alerts])), patience);
      await row.heal?.(stage);
      const { pid } = await stage.running();
      await untilQuiet();
      const extra = restarts ? ['DbpmExporterDown'] : [];
      expect([...raised].filter(name => !extra.includes(name)).toSorted()).toEqual(alerts.toSorted());
      if (log === undefined) expect(warnings(stage.log()).slice(before.length)).toEqual([]);
      else expect(stage.log()).toContain(log);
      expect(findSpellings(worldKey, stage.log())).toEqual([]);
      expect(peakMegabytes(pid)).toBeLessThan(mostMegabytes);
    });
  });
}

function warnings(log: string): readonly string[] {
  return log.split('\n').filter(line => / level=(warn|error) /.test(line));
}

function peakMegabytes(pid: number | undefined): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1]) / 1024;
}
