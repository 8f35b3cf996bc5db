import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { orderRefreshes, type RefreshCandidate } from '../../src/poll/refresh-order.ts';

const now = Date.UTC(2026, 0, 1);
const sweepMs = 30_000;
const idleRefreshMs = 15 * 60_000;

const age = fc.integer({ min: 0, max: 3_600_000 });
const fields = fc.record(
  {
    lastReadAt: age.map(ms => now - ms),
    failing: fc
      .tuple(age, age)
      .map(([triedMsAgo, forMs]) => ({ since: now - triedMsAgo - forMs, lastTriedAt: now - triedMsAgo })),
    changed: fc.boolean(),
    busy: fc.boolean(),
  },
  { requiredKeys: ['changed', 'busy'] },
);
const candidates = fc
  .array(fields, { maxLength: 60 })
  .map(all => all.map((each, index): RefreshCandidate => ({ ...each, project_id: `p${index}` })));

describe('whatever the candidates', () => {
  it('none that is due is left out, none comes twice, and none is invented', () => {
    fc.assert(
      fc.property(candidates, fc.integer({ min: -5, max: 80 }), (all, capacity) => {
        const order = orderRefreshes(all, now, { idleRefreshMs, capacity });
        expect(new Set(order).size).toBe(order.length);
        const known = new Set(all.map(({ project_id }) => project_id));
        expect(order.every(project_id => known.has(project_id))).toBe(true);
        const due = all.filter(
          ({ failing, lastReadAt, changed, busy }) =>
            failing === undefined &&
            (changed || busy || lastReadAt === undefined || now - lastReadAt >= idleRefreshMs),
        );
        expect(order).toEqual(expect.arrayContaining(due.map(({ project_id }) => project_id)));
      }),
    );
  });
});

/** Sweeps with room for `perSweep` projects each; every project always changed, some refused for ever. */
function simulate(projects: number, refused: number, perSweep: number, sweeps: number) {
  const all = Array.from({ length: projects }, (_, index) => ({
    project_id: `p${index}`,
    isRefused: index < refused,
    lastReadAt: undefined as number | undefined,
    failing: undefined as { since: number; lastTriedAt: number } | undefined,
  }));
  let longestWaitSweeps = 0;
  const lastSweep = new Map(all.map(({ project_id }) => [project_id, -1]));
  for (let sweep = 0; sweep < sweeps; sweep += 1) {
    const at = now + sweep * sweepMs;
    const order = orderRefreshes(
      all.map(({ project_id, lastReadAt, failing }, index) => ({
        project_id,
        changed: index % 2 === 0 && lastReadAt !== undefined,
        busy: index % 3 === 0,
        ...(lastReadAt !== undefined && { lastReadAt }),
        ...(failing !== undefined && { failing }),
      })),
      at,
      { idleRefreshMs: sweepMs, capacity: perSweep },
    );
    for (const project_id of order.slice(0, perSweep)) {
      const project = all.find(each => each.project_id === project_id);
      if (project === undefined) throw new Error(`${project_id} was invented`);
      if (project.isRefused) project.failing = { since: project.failing?.since ?? at, lastTriedAt: at };
      else {
        project.lastReadAt = at;
        longestWaitSweeps = Math.max(longestWaitSweeps, sweep - (lastSweep.get(project_id) ?? 0));
        lastSweep.set(project_id, sweep);
      }
    }
  }
  for (const { project_id, isRefused } of all) {
    if (!isRefused)
      longestWaitSweeps = Math.max(longestWaitSweeps, sweeps - (lastSweep.get(project_id) ?? 0));
  }
  return longestWaitSweeps;
}

describe('with room for a few projects a sweep', () => {
  it('every project has its turn within the time a quarter of the room needs for all', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 40 }),
        fc.integer({ min: 0, max: 40 }),
        fc.integer({ min: 1, max: 12 }),
        (readable, refused, perSweep) => {
          const projects = readable + refused;
          const bound = Math.ceil(projects / Math.ceil(perSweep / 4)) + 1;
          expect(simulate(projects, refused, perSweep, 2 * bound + 5)).toBeLessThanOrEqual(bound);
        },
      ),
      { numRuns: 60 },
    );
  });
});
