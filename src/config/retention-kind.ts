import { parseDuration } from './duration.ts';
import { duration, type ValueKind } from './value-kind.ts';

/** How long raw readings are kept at least: a day is summed up from them after it has ended. */
const leastKeptMs = 2 * 86_400_000;
const keptAdvice = 'write a duration of at least 2d, such as 90d';

export const sampleRetention: ValueKind<number> = {
  ...duration,
  expected: keptAdvice,
  parse: text => {
    const value = parseDuration(text);
    return value === undefined || value < leastKeptMs ? { expected: keptAdvice } : { value };
  },
};
