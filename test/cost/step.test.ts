import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cutIntoSteps } from '../../src/cost/calendar/step.ts';

const instant = (at: number) => new Date(at).toISOString().replace(':00.000Z', 'Z');

test('a month of Berlin is cut into its weeks from Monday on, the first as far as it lies in the month', () => {
  const span = { fromAt: Date.parse('2026-09-30T22:00Z'), untilAt: Date.parse('2026-10-31T23:00Z') };
  const billedStretch = { fromAt: Date.parse('2026-10-01'), untilAt: Date.parse('2026-11-01') };
  const steps = cutIntoSteps('week', { ...span, zone: 'Europe/Berlin', billedStretch });
  const shown = steps.map(({ label, fromAt, billedStretch: billed }) =>
    [label, instant(fromAt), instant(billed.fromAt)].join(' '),
  );
  expect(shown).toEqual([
    '2026-10-01 2026-09-30T22:00Z 2026-10-01T00:00Z',
    '2026-10-05 2026-10-04T22:00Z 2026-10-05T00:00Z',
    '2026-10-12 2026-10-11T22:00Z 2026-10-12T00:00Z',
    '2026-10-19 2026-10-18T22:00Z 2026-10-19T00:00Z',
    '2026-10-26 2026-10-25T23:00Z 2026-10-26T00:00Z',
  ]);
  const months = cutIntoSteps('month', { ...span, zone: 'Europe/Berlin', billedStretch });
  expect(months.map(({ label }) => label)).toEqual(['2026-10']);
});

test('steps and their billing periods cover the whole without gaps, in every zone, also from within a day', () => {
  const zones = fc.constantFrom(
    'UTC',
    'Europe/Berlin',
    'America/Los_Angeles',
    'Pacific/Apia',
    'Asia/Kolkata',
  );
  const minute = 60_000;
  const starts = fc.integer({
    min: Date.parse('2010-01-01') / minute,
    max: Date.parse('2027-01-01') / minute,
  });
  fc.assert(
    fc.property(
      fc.constantFrom('day', 'week', 'month'),
      zones,
      starts,
      fc.integer({ min: 1, max: 90 * 24 * 60 }),
      (unit, zone, start, length) => {
        const span = { fromAt: start * minute, untilAt: (start + length) * minute };
        const steps = cutIntoSteps(unit, { ...span, zone, billedStretch: span });
        for (const part of ['own', 'billed'] as const) {
          const stretches = steps.map(step => (part === 'own' ? step : step.billedStretch));
          expect(stretches[0]?.fromAt).toBe(span.fromAt);
          expect(stretches.at(-1)?.untilAt).toBe(span.untilAt);
          for (const [index, { fromAt, untilAt }] of stretches.entries()) {
            expect(fromAt).toBeLessThanOrEqual(untilAt);
            if (index > 0) expect(fromAt).toBe(stretches[index - 1]?.untilAt);
          }
        }
        expect(new Set(steps.map(({ label }) => label)).size).toBe(steps.length);
      },
    ),
  );
});
