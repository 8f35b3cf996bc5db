import { describe, expect, test } from 'vitest';
import { lookEveryMs, SilenceJudge } from '../../src/daemon/succession.ts';

/** Takes looks at the usual pace, and gives the milliseconds until a takeover and its kind. */
function lookUntil(
  judge: SilenceJudge,
  seen: { readonly beats?: (atMs: number) => bigint; readonly isLocked?: boolean },
) {
  const { beats = () => 1n, isLocked = true } = seen;
  for (let atMs = 0; atMs <= 60_000; atMs += lookEveryMs) {
    const takeover = judge.judge({ beat: beats(atMs), isLocked: () => isLocked }, atMs);
    if (takeover !== undefined) return `${takeover} after ${atMs} ms`;
  }
  return undefined;
}

describe('a standby takes over', () => {
  test('a history that nobody holds, once there was no sign of life for 2.5 seconds', () => {
    expect(lookUntil(new SilenceJudge(), { isLocked: false })).toBe('free after 2500 ms');
  });

  test('a history whose lock is held, once there was no sign of life for 4 seconds', () => {
    expect(lookUntil(new SilenceJudge(), {})).toBe('held after 4000 ms');
  });

  test('a history without a sign of life ever, after as long', () => {
    const judge = new SilenceJudge();
    const looks = [0, 500, 1000, 1500, 2000, 2500].map(atMs =>
      judge.judge({ beat: undefined, isLocked: () => false }, atMs),
    );
    expect(looks).toEqual([undefined, undefined, undefined, undefined, undefined, 'free']);
  });
});

describe('a standby waits', () => {
  test('while there are signs of life, whatever becomes of the lock', () => {
    const beats = (atMs: number) => BigInt(Math.floor(atMs / 1000));
    expect(lookUntil(new SilenceJudge(), { beats, isLocked: false })).toBeUndefined();
  });

  test('while they come from clocks that jump back and forth', () => {
    const beats = (atMs: number) => (Math.floor(atMs / 1000) % 2 === 0 ? 10n ** 18n : -5n) + BigInt(atMs);
    expect(lookUntil(new SilenceJudge(), { beats })).toBeUndefined();
  });

  test('when it was stopped itself for an hour: then it looks for as long again', () => {
    const judge = new SilenceJudge();
    const look = (atMs: number) => judge.judge({ beat: 1n, isLocked: () => true }, atMs);
    expect([0, 500, 1000, 3_600_000, 3_600_500].map(look)).toEqual(Array(5).fill(undefined));
    expect(look(3_601_000)).toBeUndefined();
  });

  test('and does not touch the lock before there was silence', () => {
    const judge = new SilenceJudge();
    const touch = () => {
      throw new Error('touched');
    };
    for (let atMs = 0; atMs < 2500; atMs += lookEveryMs) judge.judge({ beat: 7n, isLocked: touch }, atMs);
    expect(() => judge.judge({ beat: 7n, isLocked: touch }, 3000)).toThrow('touched');
  });
});
