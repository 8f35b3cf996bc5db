import { hourSeconds } from './hour-series.ts';

/** A calendar month in UTC, as hours counted from the epoch. */
export interface Month {
  readonly firstHour: number;
  /** The first hour of the next one. */
  readonly endHour: number;
}

export function monthOf(hour: number): Month {
  const date = new Date(hour * hourSeconds * 1000);
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()];
  return { firstHour: toHour(Date.UTC(year, month)), endHour: toHour(Date.UTC(year, month + 1)) };
}

function toHour(milliseconds: number): number {
  return milliseconds / (hourSeconds * 1000);
}
