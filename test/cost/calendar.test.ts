import { describe, expect, test } from 'vitest';
import { billingCalendar } from '../../src/cost/calendar/billing-calendar.ts';
import {
  type Calendar,
  type CalendarUnit,
  periodsBetween,
  zoneCalendar,
} from '../../src/cost/calendar/calendar.ts';

function periodAt(calendar: Calendar, at: string): string {
  const { fromAt, untilAt } = calendar(Date.parse(at));
  const text = (instant: number) => new Date(instant).toISOString().replace(/:00\.000Z$/, 'Z');
  return `${text(fromAt)} ${text(untilAt)} ${(untilAt - fromAt) / 3_600_000}h`;
}

describe('a calendar of a zone', () => {
  const cases: readonly [CalendarUnit, string, string, string][] = [
    ['day', 'UTC', '2026-10-05T23:59:59.999Z', '2026-10-05T00:00Z 2026-10-06T00:00Z 24h'],
    ['day', 'UTC', '2028-02-29T12:00Z', '2028-02-29T00:00Z 2028-03-01T00:00Z 24h'],
    ['day', 'Europe/Berlin', '2026-03-29T12:00Z', '2026-03-28T23:00Z 2026-03-29T22:00Z 23h'],
    ['day', 'Europe/Berlin', '2026-10-25T00:30Z', '2026-10-24T22:00Z 2026-10-25T23:00Z 25h'],
    ['day', 'Asia/Kolkata', '2026-10-05T18:29Z', '2026-10-04T18:30Z 2026-10-05T18:30Z 24h'],
    ['day', 'Asia/Kathmandu', '2026-10-05T18:15Z', '2026-10-05T18:15Z 2026-10-06T18:15Z 24h'],
    // Half an hour of summer time.
    ['day', 'Australia/Lord_Howe', '2026-10-04T00:00Z', '2026-10-03T13:30Z 2026-10-04T13:00Z 23.5h'],
    // Clocks jump from 00:00 to 01:00: these days have no midnight.
    ['day', 'America/Sao_Paulo', '2018-11-04T12:00Z', '2018-11-04T03:00Z 2018-11-05T02:00Z 23h'],
    ['day', 'Africa/Cairo', '2026-04-24T12:00Z', '2026-04-23T22:00Z 2026-04-24T21:00Z 23h'],
    // Clocks go from midnight back to 23:00, so that the day before is shown twice in its last hour.
    ['day', 'America/Sao_Paulo', '2018-02-18T02:30Z', '2018-02-17T02:00Z 2018-02-18T03:00Z 25h'],
    ['day', 'Africa/Cairo', '2026-10-29T21:30Z', '2026-10-28T21:00Z 2026-10-29T22:00Z 25h'],
    // Clocks go from 01:00 back to 00:00: the first of two midnights counts.
    ['day', 'America/Havana', '2026-11-01T06:00Z', '2026-11-01T04:00Z 2026-11-02T05:00Z 25h'],
    // A minute past midnight they went back to the day before, which was over all the same.
    ['day', 'America/St_Johns', '2010-11-07T03:00Z', '2010-11-07T02:30Z 2010-11-08T03:30Z 25h'],
    // Samoa left out a Friday.
    ['day', 'Pacific/Apia', '2011-12-30T09:59Z', '2011-12-29T10:00Z 2011-12-30T10:00Z 24h'],
    ['day', 'Pacific/Apia', '2011-12-30T10:00Z', '2011-12-30T10:00Z 2011-12-31T10:00Z 24h'],
    ['week', 'UTC', '2026-10-04T23:59Z', '2026-09-28T00:00Z 2026-10-05T00:00Z 168h'],
    ['week', 'UTC', '2026-10-05T00:00Z', '2026-10-05T00:00Z 2026-10-12T00:00Z 168h'],
    ['week', 'Europe/Berlin', '2026-10-25T12:00Z', '2026-10-18T22:00Z 2026-10-25T23:00Z 169h'],
    ['month', 'UTC', '2028-02-29T23:59Z', '2028-02-01T00:00Z 2028-03-01T00:00Z 696h'],
    ['month', 'America/New_York', '2026-11-01T04:30Z', '2026-11-01T04:00Z 2026-12-01T05:00Z 721h'],
    ['year', 'Asia/Kathmandu', '2026-12-31T18:15Z', '2026-12-31T18:15Z 2027-12-31T18:15Z 8760h'],
  ];

  test.each(cases)('knows the %s in %s at %s', (unit, zone, at, expected) => {
    expect(periodAt(zoneCalendar(unit, zone), at)).toBe(expected);
  });

  test('lists the whole periods that share time with a stretch', () => {
    const stretch = { fromAt: Date.parse('2026-10-24T12:00Z'), untilAt: Date.parse('2026-10-25T23:00Z') };
    expect(
      periodsBetween(zoneCalendar('day', 'Europe/Berlin'), stretch).map(({ fromAt, untilAt }) => [
        new Date(fromAt).toISOString(),
        new Date(untilAt).toISOString(),
      ]),
    ).toEqual([
      ['2026-10-23T22:00:00.000Z', '2026-10-24T22:00:00.000Z'],
      ['2026-10-24T22:00:00.000Z', '2026-10-25T23:00:00.000Z'],
    ]);
  });

  test('has one day for each instant, and the days of a year leave none out, wherever the clocks change', () => {
    for (const zone of ['Africa/Cairo', 'America/St_Johns', 'Australia/Lord_Howe', 'Pacific/Apia']) {
      const year = { fromAt: Date.UTC(2011, 0, 1), untilAt: Date.UTC(2012, 0, 1) };
      const calendar = zoneCalendar('day', zone);
      const days = periodsBetween(calendar, year);
      expect(days.length).toBeGreaterThanOrEqual(365);
      for (const day of days) {
        expect(calendar(day.fromAt), zone).toEqual(day);
        expect(calendar(day.untilAt - 1), zone).toEqual(day);
      }
    }
  });
});

describe('a billing calendar', () => {
  const monthly = (anchorDay: number) => billingCalendar({ kind: 'month', anchorDay });
  const fixed = billingCalendar({ kind: 'hours', hours: 744, anchorAt: Date.parse('2026-10-01T06:00Z') });

  test.each([
    [1, '2026-10-01T00:00Z', '2026-10-01T00:00Z 2026-11-01T00:00Z 744h'],
    [15, '2026-01-14T23:59Z', '2025-12-15T00:00Z 2026-01-15T00:00Z 744h'],
    [15, '2026-01-15T00:00Z', '2026-01-15T00:00Z 2026-02-15T00:00Z 744h'],
    [31, '2026-02-15T00:00Z', '2026-01-31T00:00Z 2026-02-28T00:00Z 672h'],
    [31, '2026-02-28T00:00Z', '2026-02-28T00:00Z 2026-03-31T00:00Z 744h'],
    [31, '2028-02-28T23:59Z', '2028-01-31T00:00Z 2028-02-29T00:00Z 696h'],
    [30, '2028-02-29T00:00Z', '2028-02-29T00:00Z 2028-03-30T00:00Z 720h'],
  ])('with anchor day %i at %s', (anchorDay, at, expected) => {
    expect(periodAt(monthly(anchorDay), at)).toBe(expected);
  });

  test.each([
    ['2026-10-01T06:00Z', '2026-10-01T06:00Z 2026-11-01T06:00Z 744h'],
    ['2026-10-01T05:59Z', '2026-08-31T06:00Z 2026-10-01T06:00Z 744h'],
    ['2027-01-01T00:00Z', '2026-12-02T06:00Z 2027-01-02T06:00Z 744h'],
  ])('of fixed 744 hours at %s', (at, expected) => {
    expect(periodAt(fixed, at)).toBe(expected);
  });
});
