import * as v from 'valibot';

/** One of some words; the first is the usual one. */
export function choice<const Words extends readonly string[]>(words: Words) {
  return v.optional(v.picklist(words, `one of ${words.join(', ')}`), words[0] as Words[number]);
}

/** One of some words, or none. */
export function maybeChoice<const Words extends readonly string[]>(words: Words) {
  return v.optional(v.picklist(words, `one of ${words.join(', ')}`));
}

/** A text that is looked for or compared; empty is as if it was not given. */
export function text(longest = 200) {
  return v.optional(v.pipe(v.string(), v.maxLength(longest, `at most ${longest} characters`)), '');
}

/** The part of a path that names one thing. */
export function name() {
  return v.pipe(v.string(), v.maxLength(1000, 'at most 1000 characters'));
}

/** The period that a page is of, by its word. */
export function period(usual: 'billing' | 'last-billing') {
  return v.optional(v.pipe(v.string(), v.minLength(1), v.maxLength(200)), usual);
}

/** How many rows a page has. */
export function limit(usual = 50, most = 500) {
  const message = `a whole number from 1 to ${most}`;
  return v.optional(
    v.pipe(
      v.string(),
      v.regex(/^\d{1,6}$/, message),
      v.transform(Number),
      v.minValue(1, message),
      v.maxValue(most, message),
    ),
    String(usual),
  );
}

/** Where the next rows begin, as an answer before said. */
export function cursor() {
  return v.optional(v.pipe(v.string(), v.maxLength(2000, 'a cursor from the answer before')), '');
}
