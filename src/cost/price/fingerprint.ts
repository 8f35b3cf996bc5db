import { createHash } from 'node:crypto';
import type { PriceBook } from '../../resources/price-book.ts';

/** What tells a price book from every other one: the SHA-256 of all that amounts depend on, in hexadecimal. */
export function fingerprintOf({ acceptedGaps: _why, ...priced }: PriceBook): string {
  return fingerprintOfText(canonicalJson(priced));
}

/** That of a price book, or a part of one, which `canonicalJson` made a text of. */
export function fingerprintOfText(canonical: string): string {
  return createHash('sha256').update(canonical).digest('hex');
}

/** A fingerprint for people: its first 12 digits. */
export function shortFingerprint(fingerprint: string): string {
  return fingerprint.slice(0, 12);
}

/** JSON without spaces, the keys of each object in alphabetical order: the same for the same value. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_, part: unknown) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  );
}
