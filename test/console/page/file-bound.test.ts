import { expect, test } from 'vitest';
import type { ConsoleConfig } from '../../../src/console/console-config.ts';
import { refuseLargeFile } from '../../../src/console/page/report/file-bound.ts';
import type { ConsoleSources } from '../../../src/console/page.ts';
import { PageProblem } from '../../../src/console/page-problem.ts';
import type { ReportKind } from '../../../src/report/kind.ts';
import type { ReportOptions } from '../../../src/report/parameter.ts';

const now = Date.UTC(2026, 10, 24);

/** An account of 10,000 endpoints and more operations than are sent, of which few failed, and one of 10. */
const known = {
  fleet: {
    states: () => [
      { account: 'large', state: 'idle', endpoints: 9000 },
      { account: 'large', state: 'active', endpoints: 1000 },
      { account: 'small', state: 'idle', endpoints: 10 },
    ],
  },
  operations: {
    countEnded: ({ account, most }: { readonly account?: string; readonly most: number }) =>
      account === 'small' ? 10 : most,
    countFailed: () => 3,
  },
};
const sources = {
  config: { usage: { timezone: 'UTC' } } as ConsoleConfig,
  history: {
    look: (read: (history: typeof known) => unknown) => read(known),
  } as unknown as ConsoleSources['history'],
};

function problemOf(what: ReportKind, options: ReportOptions): string | undefined {
  try {
    refuseLargeFile(sources, what, options, now);
    return undefined;
  } catch (error) {
    if (error instanceof PageProblem && error.status === 400) return error.title;
    throw error;
  }
}

test.each<[ReportKind, ReportOptions, string | undefined]>([
  ['usage', { by: 'project', step: 'day', period: 'last-30d' }, 'The report is too large'],
  ['cost', { step: 'day', period: 'last-30d' }, 'The report is too large'],
  ['cost', { by: 'region', format: 'focus', step: 'day', period: 'last-30d' }, 'The report is too large'],
  ['usage', { by: 'endpoint', period: 'last-365d' }, 'The report is too large'],
  ['usage', { by: 'region', step: 'day', period: '1000-01-01..2026-11-01' }, 'This period is too long'],
  ['usage', { by: 'project', step: 'day', period: 'last-30d', account: 'small' }, undefined],
  ['usage', { by: 'project', step: 'day', period: 'last-4d' }, undefined],
  ['cost', { by: 'region', step: 'day', period: 'last-365d' }, undefined],
  ['usage', { by: 'endpoint', period: 'last-30d' }, undefined],
  ['cost', { by: 'project', period: 'last-3650d' }, undefined],
  ['why', { period: 'billing' }, undefined],
  ['operations', { by: 'operation' }, 'The report is too large'],
  ['operations', { by: 'operation', account: 'small' }, undefined],
  ['operations', { by: 'operation', project: 'large/p1' }, undefined],
  ['operations', { by: 'operation', failed: true }, undefined],
  ['operations', { by: 'account' }, undefined],
])('a file of %s with %o: %s', (what, options, problem) => {
  expect(problemOf(what, options)).toBe(problem);
});
