import { findNearestWord } from './nearest-word.ts';
import { quoteValue } from './problem.ts';
import type { ValueKind } from './value-kind.ts';

const expected = 'write the name of a time zone such as Europe/Berlin, or UTC';

/** True for a name of the time zone database, without regard to case; not for an offset, which knows no summer. */
function isTimeZone(text: string): boolean {
  if (!/^[A-Za-z]/.test(text)) return false;
  try {
    new Intl.DateTimeFormat('en', { timeZone: text });
    return true;
  } catch {
    return false;
  }
}

export const timeZone: ValueKind<string> = {
  placeholder: 'zone',
  yamlType: 'string',
  expected,
  parse: text => {
    if (isTimeZone(text)) return { value: text };
    const nearest = findNearestWord(text.slice(0, 40), Intl.supportedValuesOf('timeZone'));
    return { expected: nearest === undefined ? expected : `write ${nearest}` };
  },
  show: quoteValue,
};
