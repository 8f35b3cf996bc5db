const dayMs = 86_400_000;

/** A day of the calendar; months count from 1, and a day or month beyond the last one runs on into the next. */
export interface CivilDay {
  readonly year: number;
  readonly month: number;
  readonly day: number;
}

const formatters = new Map<string, Intl.DateTimeFormat>();

function formatterOf(zone: string): Intl.DateTimeFormat {
  const known = formatters.get(zone);
  if (known !== undefined) return known;
  const formatter = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    calendar: 'gregory',
    numberingSystem: 'latn',
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  formatters.set(zone, formatter);
  return formatter;
}

/** What a clock on the wall shows, as if it were UTC, in epoch milliseconds. */
function wallClockAt(zone: string, at: number): number {
  const parts: Partial<Record<Intl.DateTimeFormatPartTypes, number>> = {};
  for (const { type, value } of formatterOf(zone).formatToParts(at)) parts[type] = Number(value);
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts;
  return Date.UTC(year, month - 1, day, hour, minute, second) + (((at % 1000) + 1000) % 1000);
}

/** Milliseconds the clocks of an IANA zone are ahead of UTC. */
export function offsetAt(zone: string, at: number): number {
  return zone === 'UTC' ? 0 : wallClockAt(zone, at) - at;
}

export function civilDayAt(zone: string, at: number): CivilDay {
  const wall = new Date(at + offsetAt(zone, at));
  return { year: wall.getUTCFullYear(), month: wall.getUTCMonth() + 1, day: wall.getUTCDate() };
}

/** The first instant of a day: its midnight, the first of two, or where clocks jump to when it has none. */
export function startOfDay(zone: string, { year, month, day }: CivilDay): number {
  const midnight = Date.UTC(year, month - 1, day);
  if (zone === 'UTC') return midnight;
  const before = offsetAt(zone, midnight - dayMs);
  const after = offsetAt(zone, midnight + dayMs);
  const starts = [before, after]
    .map(offset => ({ at: midnight - offset, offset }))
    .filter(({ at, offset }) => offsetAt(zone, at) === offset)
    .map(({ at }) => at);
  return starts.length > 0 ? Math.min(...starts) : jumpBetween(zone, midnight - after, midnight - before);
}

/** When clocks jumped ahead after one instant and not after the other. */
function jumpBetween(zone: string, fromAt: number, untilAt: number): number {
  const before = offsetAt(zone, fromAt);
  let calmAt = fromAt;
  let jumpedAt = untilAt;
  while (jumpedAt - calmAt > 1) {
    const middleAt = Math.floor((calmAt + jumpedAt) / 2);
    if (offsetAt(zone, middleAt) === before) calmAt = middleAt;
    else jumpedAt = middleAt;
  }
  return jumpedAt;
}
