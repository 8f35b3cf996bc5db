import fc from 'fast-check';
import { expect, test } from 'vitest';
import { findFindings } from '../../../src/cost/finding/finding-list.ts';
import { replayPast } from '../../../src/cost/finding/replayed-past.ts';
import type { Span } from '../../../src/resources/duration.ts';
import type { AwakeSpan, EndpointHistory, Pause } from '../../../src/resources/endpoint-history.ts';
import { runs } from '../../support/seed.ts';
import { begin, day, hour, makePast, minute } from './past-builder.ts';

const days = 30;
const windowEnd = begin + days * day;
const smallestDelayMs = 5 * minute;

/** Clients that use an endpoint, and somebody who reads it from a day on. */
interface Life {
  /** Each use with the pause before it, in milliseconds. */
  readonly uses: readonly { readonly pauseMs: number; readonly usedMs: number }[];
  readonly delayMs: number;
  readonly watchedDays: number;
  readonly readEveryMs: number;
}

const life: fc.Arbitrary<Life> = fc
  .record({
    /** Many pauses of about one length: uses of one endpoint are alike, and of two are not. */
    usualPauseMs: fc.constantFrom(8 * minute, 25 * minute, hour, 5 * hour),
    usualUseMs: fc.constantFrom(5000, minute, 20 * minute, 2 * hour),
    noise: fc.array(
      fc.tuple(fc.double({ min: 0.2, max: 3, noNaN: true }), fc.double({ min: 0.2, max: 3, noNaN: true })),
      {
        minLength: 20,
        maxLength: 60,
      },
    ),
    delayMs: fc.constantFrom(10 * minute, 15 * minute, hour, 4 * hour, Number.POSITIVE_INFINITY),
    watchedDays: fc.integer({ min: 0, max: days }),
    readEveryMs: fc.constantFrom(5 * minute, 15 * minute),
  })
  .map(({ usualPauseMs, usualUseMs, noise, ...rest }) => ({
    ...rest,
    uses: noise.map(([pause, use]) => ({
      pauseMs: Math.round(usualPauseMs * pause),
      usedMs: Math.round(usualUseMs * use),
    })),
  }));

/** The uses one after the other, again and again until the window ends. */
function unroll({ uses }: Life): Span[] {
  const spans: Span[] = [];
  let at = begin;
  for (let index = 0; at < windowEnd; index += 1) {
    const { pauseMs, usedMs } = uses[index % uses.length] ?? { pauseMs: day, usedMs: day };
    const untilAt = Math.min(windowEnd, at + pauseMs + usedMs);
    if (at + pauseMs < windowEnd) spans.push({ fromAt: at + pauseMs, untilAt });
    at = untilAt;
  }
  return spans;
}

/** When the suspend timer lets it be awake: from each use until so long after it. */
function liveWith(uses: readonly Span[], delayMs: number): Span[] {
  const spans: { fromAt: number; untilAt: number }[] = [];
  for (const { fromAt, untilAt } of uses) {
    const last = spans.at(-1);
    const endsAt = Math.min(windowEnd, untilAt + delayMs);
    if (last !== undefined && fromAt <= last.untilAt) last.untilAt = Math.max(last.untilAt, endsAt);
    else spans.push({ fromAt, untilAt: endsAt });
  }
  return spans;
}

function hoursOf(spans: readonly Span[]): number {
  return spans.reduce((sum, { fromAt, untilAt }) => sum + untilAt - fromAt, 0) / hour;
}

/** What somebody knows who reads the last use of it again and again, and its states from operations. */
function watch(uses: readonly Span[], { delayMs, watchedDays, readEveryMs }: Life): EndpointHistory {
  const watchedAt = windowEnd - watchedDays * day;
  const awake = liveWith(uses, delayMs).map(span => look(span, uses, watchedAt, readEveryMs));
  const lastActiveAt = uses.at(-1)?.untilAt ?? begin;
  const past = makePast({ days, awake, lastActiveAt, delays: [{ fromAt: begin, delayMs }] });
  return { ...past, usedCuMs: hoursOf(awake) * hour };
}

function look(
  { fromAt, untilAt }: Span,
  uses: readonly Span[],
  watchedAt: number,
  readEveryMs: number,
): AwakeSpan {
  let next = uses.findIndex(use => use.untilAt > fromAt);
  /** The last use that was told of at an instant: each call is for a later one. */
  const lastUseBefore = (at: number) => {
    while ((uses[next + 1]?.fromAt ?? Number.POSITIVE_INFINITY) <= at) next += 1;
    return Math.min(at, uses[next]?.untilAt ?? at);
  };
  const pauses: Pause[] = [];
  let known: { readonly usedAt: number; readonly readAt: number } | undefined;
  const firstReadAt = Math.max(watchedAt, fromAt + (readEveryMs - (fromAt % readEveryMs)));
  for (let at = firstReadAt; at <= untilAt && watchedAt < untilAt; at += readEveryMs) {
    const usedAt = lastUseBefore(at);
    if (known !== undefined && usedAt > known.usedAt && known.readAt > known.usedAt)
      pauses.push({ fromAt: known.usedAt, untilAt: known.readAt, latestUntilAt: usedAt });
    known = { usedAt, readAt: at };
  }
  if (known === undefined) return { fromAt, untilAt };
  const lastActiveAt = Math.max(fromAt, lastUseBefore(untilAt));
  if (lastActiveAt > known.usedAt && known.readAt > known.usedAt)
    pauses.push({ fromAt: known.usedAt, untilAt: known.readAt, latestUntilAt: lastActiveAt });
  const unseenMs = Math.max(0, watchedAt - fromAt);
  return { fromAt, untilAt, lastActiveAt, pauses, ...(unseenMs > 0 && { unseenMs }) };
}

const rounding = 1e-4;

test('what would have been saved is never more than the most, nor less than what is sure, and neither is more than was used', () => {
  let claims = 0;
  let sure = 0;
  fc.assert(
    fc.property(life, lived => {
      const uses = unroll(lived);
      const past = watch(uses, lived);
      const used = hoursOf(past.awake);
      // The larger ones of an endpoint come first, and no hour is counted by two.
      let mostOfLarger = 0;
      for (const { hoursPerMonth, advisedDelayMs, evidence } of findFindings(past, { smallestDelayMs })) {
        if (hoursPerMonth === undefined) continue;
        const { likely = 0, most } = hoursPerMonth;
        expect(likely).toBeLessThanOrEqual(most);
        expect(mostOfLarger + most).toBeLessThanOrEqual(used + rounding);
        const saved = used - hoursOf(liveWith(uses, advisedDelayMs ?? smallestDelayMs));
        expect(saved).toBeLessThanOrEqual(mostOfLarger + most + rounding);
        mostOfLarger += most;
        claims += 1;
        if (!evidence.endsWith('likely is only what is sure.')) continue;
        expect(likely).toBeLessThanOrEqual(saved + rounding);
        sure += 1;
      }
    }),
    { numRuns: runs(50) },
  );
  expect(claims).toBeGreaterThan(30);
  expect(sure).toBeGreaterThan(0);
});

test('where the replay of another delay says that too little is known, no finding that advises one has an amount', () => {
  let unknown = 0;
  fc.assert(
    fc.property(life, drawn => {
      const lived = { ...drawn, delayMs: Number.POSITIVE_INFINITY, watchedDays: drawn.watchedDays % 3 };
      const past = watch(unroll(lived), lived);
      if (replayPast(past, { delayMs: smallestDelayMs }) !== 'uses_unknown') return;
      unknown += 1;
      for (const finding of findFindings(past, { smallestDelayMs })) {
        expect(finding).not.toHaveProperty('hoursPerMonth');
      }
    }),
    { numRuns: runs(50) },
  );
  expect(unknown).toBeGreaterThan(2);
});
