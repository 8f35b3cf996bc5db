/** Shorter pieces of a key may stand in a text by chance, and tell little of it. */
const pieceLength = 8;

/**
 * The pieces of a secret by which a part of it is found, in small letters. Only those with both a letter and a digit:
 * others may be words, dates or numbers.
 */
export function secretPieces(spellings: readonly string[]): ReadonlySet<string> {
  const pieces = new Set<string>();
  for (const spelling of spellings) {
    const small = spelling.toLowerCase();
    for (let from = 0; from + pieceLength <= small.length; from += 1) {
      const piece = small.slice(from, from + pieceLength);
      if (/\d/.test(piece) && /\p{L}/u.test(piece)) pieces.add(piece);
    }
  }
  return pieces;
}

/** The text with every run of such pieces replaced. */
export function replacePieces(text: string, pieces: ReadonlySet<string>, replacement: string): string {
  if (pieces.size === 0 || text.length < pieceLength) return text;
  const small = text.toLowerCase();
  // A few letters have small forms of another length: then positions would not agree.
  if (small.length !== text.length) return text;
  let safe = '';
  let written = 0;
  let runEnd = 0;
  for (let from = 0; from + pieceLength <= small.length; from += 1) {
    if (!pieces.has(small.slice(from, from + pieceLength))) continue;
    if (from >= runEnd) {
      safe += text.slice(written, from) + replacement;
    }
    runEnd = from + pieceLength;
    written = runEnd;
  }
  return safe + text.slice(written);
}
