import fc from 'fast-check';
import { expect, test } from 'vitest';
import { QueueShare } from '../../../src/poll/scheduler/next-poll.ts';
import { Queue, type QueueMember, RetryQueue } from '../../../src/poll/scheduler/queue/queue.ts';

interface Member extends QueueMember<Member> {
  readonly id: number;
}

const members = (): readonly Member[] =>
  Array.from({ length: 8 }, (_, id) => ({ id, queue: undefined, before: undefined, after: undefined }));

function idsOf(queue: Queue<Member>): readonly number[] {
  const ids: number[] = [];
  for (let member = queue.first; member !== undefined; member = member.after) ids.push(member.id);
  return ids;
}

const moves = fc.array(
  fc.record({ id: fc.nat(7), queue: fc.nat(1), how: fc.constantFrom('push', 'join', 'remove') }),
  { maxLength: 60 },
);

test('a queue holds whoever joined and did not leave, in order, and nobody stands in two', () => {
  fc.assert(
    fc.property(moves, steps => {
      const all = members();
      const queues = [new Queue<Member>(), new Queue<Member>()];
      let expected: number[][] = [[], []];
      for (const { id, queue: at, how } of steps) {
        const [member, queue] = [all[id], queues[at]];
        if (member === undefined || queue === undefined) continue;
        if (how === 'remove') {
          queue.remove(member);
          expected = expected.map((ids, index) => (index === at ? ids.filter(other => other !== id) : ids));
          continue;
        }
        // Who has a smaller number than the first goes before it, even where it is the first itself.
        const first = queue.first?.id;
        const isBefore = how === 'join' && first !== undefined && id < first;
        if (how === 'join') queue.join(member, (a, b) => a.id < b.id);
        else queue.push(member);
        expected = expected.map(ids => ids.filter(other => other !== id));
        expected[at] = isBefore ? [id, ...(expected[at] ?? [])] : [...(expected[at] ?? []), id];
      }
      expect(queues.map(idsOf)).toEqual(expected);
      expect(queues.map(({ size }) => size)).toEqual(expected.map(({ length }) => length));
    }),
  );
});

test('a retry queue gives out what may be tried first, first', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(1000)), waits => {
      const queue = new RetryQueue<number>();
      for (const wait of waits) queue.push(wait, wait);
      const given: number[] = [];
      for (let next = queue.pop(); next !== undefined; next = queue.pop()) given.push(next);
      expect(given).toEqual(waits.toSorted((a, b) => a - b));
    }),
  );
});

test('every kind gets the share of requests it is sure of, whatever a reading of it costs', () => {
  const claim = fc.record({
    requests: fc.integer({ min: 1, max: 5 }),
    share: fc.integer({ min: 0, max: 30 }).map(percent => percent / 100),
  });
  fc.assert(
    fc.property(fc.array(claim, { minLength: 1, maxLength: 3 }), drawn => {
      const claims = drawn.map((each, index) => ({ kind: `kind ${index}`, ...each }));
      const shares = new QueueShare<string>();
      const spent = new Map<string, number>();
      for (let polls = 0; polls < 2_000; polls += 1) {
        const picked = shares.pick(claims);
        if (picked) spent.set(picked.kind, (spent.get(picked.kind) ?? 0) + picked.requests);
      }
      const total = [...spent.values()].reduce((sum, requests) => sum + requests, 0);
      for (const { kind, share } of claims) {
        expect((spent.get(kind) ?? 0) / total).toBeGreaterThanOrEqual(share - 0.01);
      }
    }),
  );
});

test('what promises nothing goes by rank', () => {
  const shares = new QueueShare<string>();
  const claims = ['first', 'second'].map(kind => ({ kind, requests: 2, share: 0 }));
  expect([shares.pick(claims)?.kind, shares.pick(claims)?.kind]).toEqual(['first', 'first']);
  expect(shares.pick(claims.slice(1))?.kind).toBe('second');
});

test('a claim that is of no use is not counted as taken', () => {
  const shares = new QueueShare<string>();
  const claims = [
    { kind: 'urgent', requests: 2, share: 0 },
    { kind: 'idle', requests: 2, share: 0.5 },
  ];
  const urgent = ({ kind }: { kind: string }) => kind === 'urgent';
  const picks = Array.from({ length: 5 }, () => shares.pick(claims, urgent)?.kind);
  expect(picks).toEqual(['urgent', 'urgent', undefined, undefined, undefined]);
  expect(shares.pick(claims)?.kind).toBe('idle');
});
