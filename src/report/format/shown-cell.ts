/** A longer text makes a table unreadable; the other formats have it whole. */
const longestText = 60;

/** An instant by the clocks of a zone, such as `2026-10-05 14:03`. */
export function showInstant(at: number, timezone: string): string {
  const parts = new Intl.DateTimeFormat('en-CA', {
    timeZone: timezone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  }).formatToParts(at);
  const part = (type: string) => parts.find(each => each.type === type)?.value ?? '';
  return `${part('year')}-${part('month')}-${part('day')} ${part('hour')}:${part('minute')}`;
}

/** The first day of a period from its begin, or its last one from its end; the instant itself where no day begins with it. */
export function showEdge(at: number, timezone: string, edge: 'first' | 'last'): string {
  const shown = showInstant(at, timezone);
  if (!shown.endsWith(' 00:00')) return shown;
  return (edge === 'last' ? showInstant(at - 1, timezone) : shown).slice(0, 'yyyy-mm-dd'.length);
}

/** A text without characters that break a line, move the cursor or turn the direction: names come from users. */
export function onOneLine(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ');
}

/** A text that is not longer than a table can be read with. */
export function cutLong(text: string): string {
  const characters = [...text];
  return characters.length <= longestText ? text : `${characters.slice(0, longestText - 1).join('')}…`;
}

/** A decimal number with its thousands separated. */
export function separateThousands(decimal: string): string {
  const [whole = '', fraction] = decimal.split('.');
  const separated = whole.replace(/\B(?=(?:\d{3})+$)/g, ',');
  return fraction === undefined ? separated : `${separated}.${fraction}`;
}

/** A word as the first of a sentence or a heading. */
export function capital(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}
