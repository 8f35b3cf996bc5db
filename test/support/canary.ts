/**
 * Spellings in which a key would still be one: plain, encoded in ways that go back to it, and its halves.
 *
 * @param key so long and odd that no half of it stands anywhere by chance.
 */
function spellingsOf(key: string): readonly string[] {
  const middle = Math.floor(key.length / 2);
  const halves = [key.slice(0, middle), key.slice(middle)];
  const whole = [
    key,
    key.toUpperCase(),
    encodeURIComponent(key),
    encodeAll(key),
    [...key].toReversed().join(''),
  ];
  const bytes = Buffer.from(key);
  const encoded = [bytes.toString('hex'), bytes.toString('hex').toUpperCase(), bytes.toString('utf16le')];
  return [
    ...new Set([...whole, ...halves, ...encoded, ...[0, 1, 2].flatMap(offset => base64Cores(bytes, offset))]),
  ];
}

/** Spellings of a key that stand in a text or a file. */
export function findSpellings(key: string, found: string | Buffer): readonly string[] {
  return spellingsOf(key).filter(spelling => found.includes(spelling));
}

function encodeAll(key: string): string {
  return [...Buffer.from(key)].map(byte => `%${byte.toString(16).padStart(2, '0')}`).join('');
}

/** What stays of it in base64 behind `offset` bytes, without the characters that carry bits of its neighbours. */
function base64Cores(bytes: Buffer, offset: number): readonly string[] {
  const shifted = Buffer.concat([Buffer.alloc(offset), bytes]);
  const from = offset === 0 ? 0 : offset + 1;
  const until = Math.floor((shifted.length * 8) / 6);
  return (['base64', 'base64url'] as const).map(coding => shifted.toString(coding).slice(from, until));
}
