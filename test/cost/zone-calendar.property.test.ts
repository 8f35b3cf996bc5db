import fc from 'fast-check';
import { expect, test } from 'vitest';
import { zoneCalendar, zoneClockAt } from '../../src/cost/calendar/calendar.ts';
import { zoneSlotOf } from '../../src/cost/forecast/week-slot.ts';
import { runs } from '../support/seed.ts';

const hourMs = 3_600_000;
const weekdays = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'];

/** What the platform says the clocks of a zone show, by the time zone database it carries. */
function wallClock(zone: string): (at: number) => { readonly date: string; readonly slot: number } {
  const format = new Intl.DateTimeFormat('en-GB', {
    timeZone: zone,
    hourCycle: 'h23',
    weekday: 'short',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
  });
  return at => {
    const parts = Object.fromEntries(format.formatToParts(at).map(({ type, value }) => [type, value]));
    const { year, month, day, hour, weekday = '' } = parts;
    return { date: `${year}-${month}-${day}`, slot: weekdays.indexOf(weekday) * 24 + Number(hour) };
  };
}

const zones = fc.oneof(
  fc.constantFrom(...Intl.supportedValuesOf('timeZone')),
  fc.constantFrom(
    'Pacific/Apia',
    'Australia/Lord_Howe',
    'Africa/Casablanca',
    'America/St_Johns',
    'Asia/Gaza',
  ),
);

/** Instants of 2000 to 2040; half of them within a day and a half of clocks that change. */
const moments = fc
  .record({
    zone: zones,
    at: fc.integer({ min: Date.UTC(2000, 0, 1), max: Date.UTC(2040, 11, 31) }),
    besideMs: fc.option(fc.integer({ min: -36 * hourMs, max: 36 * hourMs })),
  })
  .map(({ zone, at, besideMs }) => {
    const change = besideMs === null ? null : zoneClockAt(zone, at).getTimeZoneTransition('next');
    return { zone, at: change === null ? at : change.epochMilliseconds + (besideMs ?? 0) };
  });

test('a day of a zone begins when its clocks first show it, and is over when they first show a later one', () => {
  fc.assert(
    fc.property(moments, ({ zone, at }) => {
      const { fromAt, untilAt } = zoneCalendar('day', zone)(at);
      const show = wallClock(zone);
      const dateAt = (instant: number) => show(instant).date;
      expect(fromAt).toBeLessThanOrEqual(at);
      expect(untilAt).toBeGreaterThan(at);
      const day = dateAt(fromAt);
      expect(dateAt(fromAt - 1) < day).toBe(true);
      expect(dateAt(untilAt) > day).toBe(true);
      for (let within = fromAt; within < untilAt; within += hourMs / 2) {
        expect(dateAt(within) <= day).toBe(true);
      }
      expect(dateAt(untilAt - 1) <= day).toBe(true);
    }),
    { numRuns: runs(100) },
  );
});

test('the hour of the week is the one the clocks of the zone show', () => {
  fc.assert(
    fc.property(moments, ({ zone, at }) => {
      expect(zoneSlotOf(zone)(at)).toBe(wallClock(zone)(at).slot);
    }),
    { numRuns: runs(200) },
  );
});
