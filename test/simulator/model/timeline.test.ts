import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createTimeline } from '../../../src/simulator/model/timeline.ts';

test('what is due happens by time, ties in the order they were scheduled, each at its own now', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 30 })), seconds => {
      const timeline = createTimeline(0);
      const happened: [number, number][] = [];
      for (const [index, second] of seconds.entries()) {
        timeline.schedule(second, () => happened.push([timeline.now, index]));
      }
      timeline.advanceTo(30);
      const expected = seconds.map((second, index): [number, number] => [second, index]);
      expect(happened).toEqual(expected.sort(([left], [right]) => left - right));
    }),
  );
});

test('what is scheduled for the past is due in the next second', () => {
  const timeline = createTimeline(100);
  let happenedAt: number | undefined;
  timeline.schedule(50, () => {
    happenedAt = timeline.now;
  });
  timeline.advanceTo(100);
  expect(happenedAt).toBeUndefined();
  timeline.advanceTo(200);
  expect(happenedAt).toBe(101);
});

test('time never goes back', () => {
  const timeline = createTimeline(100);
  timeline.advanceTo(50);
  expect(timeline.now).toBe(100);
});
