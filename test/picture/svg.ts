/** Attributes of an element; what is undefined is left out. */
export type Attributes = Readonly<Record<string, string | number | undefined>>;

const escapes: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** A number as short as it can be without a visible difference, in units of the drawing. */
export function round(value: number): number {
  return Math.round(value * 10) / 10;
}

/** An element with attributes and content that is markup already. */
export function element(name: string, attributes: Attributes, ...content: readonly string[]): string {
  const written = Object.entries(attributes).flatMap(([key, value]) => {
    if (value === undefined) return [];
    const text = typeof value === 'number' ? String(round(value)) : escapeText(value);
    return ` ${key}="${text}"`;
  });
  const start = `<${name}${written.join('')}`;
  return content.length === 0 ? `${start}/>` : `${start}>${content.join('')}</${name}>`;
}

/** A line of text, styled by a class of the picture's style sheet. */
export function label(x: number, y: number, text: string, attributes: Attributes = {}): string {
  return element('text', { x, y, ...attributes }, escapeText(text));
}

/** A path through points, from the first one on. */
export function path(points: readonly Point[], attributes: Attributes): string {
  return element('path', { d: `M${joinPoints(points)}`, ...attributes });
}

/** The surface between two lines over the same places. */
export function band(upper: readonly Point[], lower: readonly Point[], attributes: Attributes): string {
  return element('path', { d: `M${joinPoints([...upper, ...lower.toReversed()])}Z`, ...attributes });
}

/** Horizontal and vertical place in the drawing. */
export type Point = readonly [x: number, y: number];

/** A linear scale from values to places in the drawing. */
export function scaleOf([fromValue, toValue]: Point, [from, to]: Point): (value: number) => number {
  return value => from + ((value - fromValue) / (toValue - fromValue)) * (to - from);
}

function joinPoints(points: readonly Point[]): string {
  return points.map(([x, y]) => `${round(x)} ${round(y)}`).join('L');
}

function escapeText(text: string): string {
  return text.replaceAll(/[&<>"]/g, found => escapes[found] ?? found);
}
