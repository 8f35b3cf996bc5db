import { dayMs, hourMs, minuteMs, secondMs } from '../../resources/duration.ts';
import { dateOf } from '../../resources/utc-date.ts';
import { shortDay } from './chart/step.ts';
import { html, type Markup } from './html.ts';

/** An instant of an answer by UTC, such as `2026-10-05 14:03 UTC`; a browser adds the reader's own time. */
export function instant(at: string | null, whenNone = ''): Markup | string {
  if (at === null) return whenNone;
  return html`<time datetime=${at}>${at.slice(0, 10)} ${at.slice(11, 16)} UTC</time>`;
}

/** How long before `now` an instant of an answer was; its own text tells which one it is to those who point at it. */
export function ago(at: string | null, now: number, whenNone = 'never'): Markup | string {
  if (at === null) return whenNone;
  const title = `${at.slice(0, 19).replace('T', ' ')} UTC`;
  return html`<time datetime=${at} title=${title}>${showAge(now - Date.parse(at))} ago</time>`;
}

/** The age of a page that had no reading since. */
export function sayNewest(at: string): string {
  return `Nothing here is newer than ${at.slice(0, 10)} ${at.slice(11, 19)} UTC.`;
}

/** An instant of an answer to the second; with its day where that is not today's (UTC). */
export function clock(at: string, now: number): Markup {
  const isToday = at.slice(0, 10) === dateOf(now);
  return html`<time datetime=${at}>${isToday ? '' : `${at.slice(0, 10)} `}${at.slice(11, 19)}</time>`;
}

/** `27 Nov, 15:29`. */
export function dayAndTime(at: string): Markup {
  return html`<time datetime=${at} title=${`${at.slice(0, 19).replace('T', ' ')} UTC`}>${shortDay(at)}, ${at.slice(11, 16)}</time>`;
}

const units = [
  ['d', dayMs],
  ['h', hourMs],
  ['min', minuteMs],
  ['s', secondMs],
] as const;

/** A length of time in its two largest units: `3 d 4 h`, `12 s`. */
export function showAge(ms: number): string {
  const left = Math.max(0, ms);
  const first = units.findIndex(([, size]) => left >= size);
  if (first < 0) return '0 s';
  const parts: string[] = [];
  let rest = left;
  for (const [name, size] of units.slice(first, first + 2)) {
    const count = Math.floor(rest / size);
    rest -= count * size;
    if (count > 0) parts.push(`${count} ${name}`);
  }
  return parts.join(' ');
}

/** An instant within a sentence; of another day it has its date. */
export function sayAt(at: string, besides: string | null = at): string {
  const time = `${at.slice(11, 19)} UTC`;
  return besides?.slice(0, 10) === at.slice(0, 10) ? time : `${time} on ${at.slice(0, 10)}`;
}

/** A length of time within a sentence: `14 seconds`, `2 h 5 min`. */
export function sayLength(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / secondMs));
  return seconds < 90 ? `${seconds} ${seconds === 1 ? 'second' : 'seconds'}` : showAge(ms);
}
