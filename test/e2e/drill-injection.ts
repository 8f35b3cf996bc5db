import { vi } from 'vitest';
import type { Drill } from './drill-world.ts';

/** What a fault did: which alert it must raise, and how it goes away. */
export interface Injected {
  readonly labels: Readonly<Record<string, string>>;
  mend(): Promise<void>;
}

/** How an alert is raised end to end: on an object of its own, so that all can be at the same time. */
export interface DrillFault {
  readonly alert: string;
  readonly fault: string;
  readonly mended: string;
  inject(drill: Drill): Promise<Injected>;
}

/** Has calls to a service answered wrongly until that is mended. */
export async function answerWrongly(
  { stages }: Drill,
  name: 'failing' | 'lagging' | 'barred' | 'limited' | 'odd' | 'foreign' | 'costly',
  fault: { readonly match: string; readonly status?: number; readonly body?: string },
): Promise<Injected> {
  const { world } = stages[name];
  await world.call('POST', '/faults', fault);
  return { labels: { account: name }, mend: async () => void (await world.call('DELETE', '/faults')) };
}

/** Waits until Prometheus has a series, so that it sees it grow. */
export async function untilScraped(
  { prometheus }: Drill,
  name: string,
  labels: Readonly<Record<string, string>>,
): Promise<void> {
  const matchers = Object.entries(labels).map(([label, value]) => `${label}=${JSON.stringify(value)}`);
  await vi.waitFor(
    async () => {
      const found = await prometheus.query(`${name}{${matchers.join(', ')}}`);
      if (found.length === 0) throw new Error(`Prometheus has no ${name} ${JSON.stringify(labels)}`);
    },
    { timeout: 60_000, interval: 250 },
  );
}
