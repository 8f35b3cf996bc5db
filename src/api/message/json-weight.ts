/** The most that an honest answer of the service holds. */
export interface JsonBounds {
  /** Objects, lists, and values in them. */
  readonly values: number;
  readonly depth: number;
}

/** Some hundred thousand items with all their fields: about 200 MB once they are parsed. */
const usualBounds: JsonBounds = { values: 3_000_000, depth: 200 };

const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;
const openList = 0x5b;
const closeList = 0x5d;
const openObject = 0x7b;
const closeObject = 0x7d;

/**
 * Whether a JSON text is within its bounds, found without parsing it: a few bytes of text can take fifty in memory, so
 * that the size of the text alone says little.
 */
export function isWithinBounds(text: string, { values: most, depth: deepest } = usualBounds): boolean {
  let values = 0;
  let depth = 0;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code === quote) index = findTextEnd(text, index);
    else if (code === comma) values += 1;
    else if (code === openList || code === openObject) {
      values += 1;
      depth += 1;
      if (depth > deepest) return false;
    } else if (code === closeList || code === closeObject) depth -= 1;
    if (values > most) return false;
  }
  return true;
}

/** The place of the quote that ends the text that a quote begins; the end of all where there is none. */
function findTextEnd(text: string, from: number): number {
  for (let end = text.indexOf('"', from + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let escapes = 0;
    while (text.charCodeAt(end - 1 - escapes) === backslash) escapes += 1;
    if (escapes % 2 === 0) return end;
  }
  return text.length;
}
