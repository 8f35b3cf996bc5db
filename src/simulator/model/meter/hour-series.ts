/** Whole numbers by hour, from a first hour on; hours are counted from the epoch. */
export interface HourSeries {
  readonly firstHour: number;
  readonly amounts: number[];
}

export const hourSeconds = 3600;

/** The hour that a second lies in. */
export function hourOf(second: number): number {
  return Math.floor(second / hourSeconds);
}

/** @param second the first hour is the one it lies in. */
export function createHourSeries(second: number): HourSeries {
  return { firstHour: hourOf(second), amounts: [] };
}

/** 0 for an hour that nothing was added to. */
export function amountIn({ firstHour, amounts }: HourSeries, hour: number): number {
  return amounts[hour - firstHour] ?? 0;
}

export function setAmount({ firstHour, amounts }: HourSeries, hour: number, amount: number): void {
  const index = hour - firstHour;
  while (amounts.length <= index) amounts.push(0);
  amounts[index] = amount;
}

export function addAmount(series: HourSeries, hour: number, amount: number): void {
  setAmount(series, hour, amountIn(series, hour) + amount);
}

/** Adds an amount for each second from `from` up to `to`, to the hours these seconds lie in. */
export function addSpan(series: HourSeries, from: number, to: number, perSecond: number): void {
  for (let start = from; start < to; ) {
    const hour = hourOf(start);
    const end = Math.min(to, (hour + 1) * hourSeconds);
    addAmount(series, hour, (end - start) * perSecond);
    start = end;
  }
}

/** The sum over the hours from `fromHour` up to `toHour`. */
export function sumOver(series: HourSeries, fromHour: number, toHour: number): number {
  return sumHours(fromHour, toHour, hour => amountIn(series, hour));
}

/** The sum of what is counted of each hour from `fromHour` up to `toHour`. */
export function sumHours(fromHour: number, toHour: number, count: (hour: number) => number): number {
  let sum = 0;
  for (let hour = fromHour; hour < toHour; hour += 1) sum += count(hour);
  return sum;
}

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
