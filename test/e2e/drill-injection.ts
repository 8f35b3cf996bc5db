import { expect, vi } from 'vitest';
import { patience } from '../support/patience.ts';
import type { Drill } from './drill-world.ts';

/** How long a drill waits for anything: far longer than a busy machine needs. */
export const drillPatience = patience;

export type Labels = Readonly<Record<string, string>>;

/** What a fault did: the labels that its alerts must have, and how it goes away. */
interface Injected {
  readonly labels: Labels;
  /** More labels of single alerts. */
  readonly labelsOf?: Readonly<Record<string, Labels>>;
  mend(): Promise<void>;
  /** What is left to do afterwards, however it went. */
  clear?(): Promise<void>;
}

/** How alerts are raised end to end. */
export interface DrillFault {
  readonly alerts: readonly string[];
  readonly fault: string;
  readonly mended: string;
  inject(drill: Drill): Promise<Injected>;
}

/** Faults by how they are tried. */
export interface DrillFaults {
  /** On objects of their own: all at the same time. */
  readonly together: readonly DrillFault[];
  /** What befalls the daemon itself or its settings: one after the other, when all else is over. */
  readonly alone: readonly DrillFault[];
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

/** Waits until Prometheus has a series, so that it sees it grow; where a value is given, with that one. */
export async function untilScraped(
  { prometheus }: Drill,
  name: string,
  labels: Labels,
  value?: number,
): Promise<void> {
  const matchers = Object.entries(labels).map(([label, wanted]) => `${label}=${JSON.stringify(wanted)}`);
  const selector = `${name}{${matchers.join(', ')}}${value === undefined ? '' : ` == ${value}`}`;
  await vi.waitFor(
    async () => expect(await prometheus.query(selector), selector).not.toEqual([]),
    drillPatience,
  );
}
