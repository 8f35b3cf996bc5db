import type { AwakeSpan, EndpointHistory } from '../../resources/endpoint-history.ts';
import { sumOf } from '../../resources/sum.ts';
import { isWake, lengthMs } from './awake-time.ts';
import type { Detector } from './detector.ts';
import { sayCount, sayDuration } from './phrase.ts';
import { lastUseAt, suspendDelayOf } from './suspend-delay.ts';

/** A check that finds it asleep has it started within so long. */
const startsWithinMs = 120_000;
/** A use within so long of the wake, or so much more than the auto-suspend delay, may be the check itself. */
const checkTakesMs = 30_000;
const leastWakes = 3;
const leastShare = 0.8;

/** Nearly all that wakes it are the service's own checks, and it is not used then. */
export const wokenByChecks: Detector = past => {
  const wakes = past.awake.filter(span => isWake(past, span));
  const byChecks = new Set(checkWakes(past));
  const share = byChecks.size / wakes.length;
  if (byChecks.size < leastWakes || share < leastShare) return undefined;
  const wokenMs = sumOf([...byChecks].map(lengthMs));
  const spared = past.awake.map(span => (byChecks.has(span) ? 1 : 0));
  return {
    kind: 'woken_by_checks',
    spared: { likely: spared, most: spared },
    evidence:
      `${byChecks.size} of its ${sayCount(wakes.length, 'wake')} in ${sayDuration(lengthMs(past))} followed a check_availability ` +
      `and were not used; it was then awake for ${sayDuration(wokenMs / byChecks.size)}.`,
    advice:
      'Its branch seems not to be needed: delete it, or disable the endpoint, so that it is not checked.',
    share,
  };
};

/** The spans that a check began and no client used. */
export function checkWakes(past: EndpointHistory): AwakeSpan[] {
  const delayMs = suspendDelayOf(past);
  const isUnused = (span: AwakeSpan): boolean => {
    const usedAt = lastUseAt(past, span);
    if (usedAt !== undefined) return usedAt <= span.fromAt + checkTakesMs;
    return delayMs !== undefined && lengthMs(span) <= delayMs + checkTakesMs;
  };
  let next = 0;
  return past.awake.filter(span => {
    while ((past.checks[next] ?? Number.POSITIVE_INFINITY) < span.fromAt - startsWithinMs) next += 1;
    const checkAt = past.checks[next] ?? Number.POSITIVE_INFINITY;
    return isWake(past, span) && checkAt <= span.fromAt && isUnused(span);
  });
}
