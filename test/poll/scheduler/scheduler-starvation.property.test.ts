import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ChosenPoll } from '../../../src/poll/scheduler/chosen-poll.ts';
import { PollScheduler } from '../../../src/poll/scheduler/poll-scheduler.ts';
import { collectors } from '../../../src/resources/collector.ts';
import { project } from '../scripted-account.ts';

const minuteMs = 60_000;
const listPollMs = 10_000;

/** A project whose list, state and readings behave as badly as they can, each in its own way. */
const nature = fc.record({
  busy: fc.boolean(),
  /** The list shows it differently in every list poll. */
  flapping: fc.boolean(),
  failing: fc.boolean(),
  everListed: fc.boolean(),
});

test('nothing starves, whatever the list says, and whoever is busy, fails or was never read', () => {
  fc.assert(
    fc.property(
      fc.array(nature, { minLength: 1, maxLength: 40 }),
      fc.integer({ min: 1, max: 20 }),
      fc.integer({ min: 1, max: 60 }).map(minutes => minutes * minuteMs),
      (natures, pollsPerListPoll, idleRefreshMs) => {
        const triedAt = readForHours(natures, pollsPerListPoll, idleRefreshMs);
        const longestGapMs = Math.max(...triedAt.map(longestGap));
        // What fails is tried again after five minutes at most; of what waits, those at rest have more than one request in ten.
        const roundMs = (natures.length / pollsPerListPoll) * listPollMs;
        expect(longestGapMs).toBeLessThanOrEqual(
          idleRefreshMs + 5 * minuteMs + 2 * listPollMs + 40 * roundMs,
        );
      },
    ),
    { numRuns: 60 },
  );
});

type Nature = typeof nature extends fc.Arbitrary<infer Value> ? Value : never;

const durationMs = 4 * 60 * minuteMs;

/** @returns when each project was tried, the end included. */
function readForHours(
  natures: readonly Nature[],
  pollsPerListPoll: number,
  idleRefreshMs: number,
): number[][] {
  const scheduler = new PollScheduler({
    requestsPerMinute: pollsPerListPoll * 12,
    scheduleMs: listPollMs,
    idleRefreshMs,
    dropAfterMs: 600_000,
    apiKeysRefreshMs: 5 * minuteMs,
    collectors,
  });
  const triedAt: number[][] = natures.map(() => [0]);
  for (const [index, { everListed, busy }] of natures.entries()) {
    const checkpoint = { known: { headAt: 0, openIds: [] }, busy };
    if (!everListed) scheduler.watchList.add(project(`p${index}`), checkpoint, 0);
  }
  for (let now = 0; now < durationMs; now += listPollMs) {
    scheduler.beginRound(now);
    scheduler.watchList.beginListPoll();
    const listed = natures.flatMap(({ flapping, everListed }, index) =>
      everListed ? [project(`p${index}`, { cpu_used_sec: flapping ? now : 0 })] : [],
    );
    scheduler.followPage(listed, now, now);
    scheduler.watchList.endListPoll(false, new Set(), now);
    for (let polls = 0; polls < pollsPerListPoll; polls += 1) {
      const at = now + (polls * listPollMs) / pollsPerListPoll;
      const poll = scheduler.next(at);
      if (poll !== undefined) triedAt[settle(scheduler, poll, natures, at)]?.push(at);
    }
  }
  for (const tries of triedAt) tries.push(durationMs);
  return triedAt;
}

function settle(scheduler: PollScheduler, poll: ChosenPoll, natures: readonly Nature[], at: number): number {
  const { watched, depth } = poll;
  const index = Number(watched.project_id.slice(1));
  const { busy, failing } = natures[index] ?? { busy: false, failing: false };
  const wasBusy = watched.polls.busy;
  if (!failing) watched.polls.continueFrom({ known: { headAt: 0, openIds: [] }, busy });
  const full = depth === 'full';
  const outcome = { ok: !failing, full, requests: full ? 2 : 1, operations: [], mark: 0, skewMs: 0 };
  scheduler.settle(poll, outcome, { wasBusy }, at);
  return index;
}

function longestGap(tries: readonly number[]): number {
  return Math.max(...tries.slice(1).map((at, index) => at - (tries[index] ?? 0)));
}
