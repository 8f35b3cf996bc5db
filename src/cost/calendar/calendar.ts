import { type CivilDay, civilDayAt, startOfDay } from './zone-clock.ts';

/** Instants in epoch milliseconds, `untilAt` the first one after it. */
export interface Period {
  readonly fromAt: number;
  readonly untilAt: number;
}

/** Cuts all time into periods: gives the one an instant lies in. */
export type Calendar = (at: number) => Period;

/** Weeks begin on Monday. */
export type CalendarUnit = 'day' | 'week' | 'month' | 'year';

/** Days, weeks, months or years by the clocks of an IANA zone, however long they are there. */
export function zoneCalendar(unit: CalendarUnit, zone: string): Calendar {
  const { first, step } = units[unit];
  return at => {
    const start = first(civilDayAt(zone, at));
    let fromAt = startOfDay(zone, start);
    let untilAt = startOfDay(zone, step(start, 1));
    // Where clocks go back across midnight, a day is over though they show it once more; a day may be left out as well.
    for (let steps = 2; untilAt <= at; steps += 1) {
      fromAt = untilAt;
      untilAt = startOfDay(zone, step(start, steps));
    }
    return { fromAt, untilAt };
  };
}

interface UnitRule {
  /** The first day of what a day lies in. */
  readonly first: (day: CivilDay) => CivilDay;
  readonly step: (first: CivilDay, count: number) => CivilDay;
}

const units: Readonly<Record<CalendarUnit, UnitRule>> = {
  day: { first: day => day, step: (first, count) => ({ ...first, day: first.day + count }) },
  week: {
    first: ({ year, month, day }) => {
      const sinceMonday = (new Date(Date.UTC(year, month - 1, day)).getUTCDay() + 6) % 7;
      return { year, month, day: day - sinceMonday };
    },
    step: (first, count) => ({ ...first, day: first.day + 7 * count }),
  },
  month: {
    first: ({ year, month }) => ({ year, month, day: 1 }),
    step: (first, count) => ({ ...first, month: first.month + count }),
  },
  year: {
    first: ({ year }) => ({ year, month: 1, day: 1 }),
    step: (first, count) => ({ ...first, year: first.year + count }),
  },
};

/** The whole periods of a calendar that share some time with a stretch, in order. */
export function periodsBetween(calendar: Calendar, { fromAt, untilAt }: Period): Period[] {
  const periods: Period[] = [];
  for (let at = fromAt; at < untilAt; ) {
    const period = calendar(at);
    periods.push(period);
    at = period.untilAt;
  }
  return periods;
}
