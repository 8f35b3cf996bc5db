import { describe, expect, test } from 'vitest';
import { explainEndpoint } from '../../../src/cost/difference/endpoint-change.ts';
import { hourMs, minuteMs } from '../../../src/resources/duration.ts';
import type { AwakeSpan, DatedDelay } from '../../../src/resources/endpoint-history.ts';
import { computeHourMs } from '../../../src/resources/usage/ledger.ts';

const periods = {
  before: { fromAt: 0, untilAt: 100 * hourMs },
  after: { fromAt: 100 * hourMs, untilAt: 200 * hourMs },
};

/** How often it woke in a period of 100 hours, and how many of them it was awake. */
type Wakes = readonly [wakes: number, hours: number];

interface Lived {
  readonly before: Wakes;
  readonly after: Wakes;
  /** Compute hours of both periods; of an endpoint of 1 CU they are its hours awake. */
  readonly used?: readonly [before: number, after: number];
  readonly delays?: readonly DatedDelay[];
  /** Where the times are not in even distances. */
  readonly awake?: readonly AwakeSpan[];
}

/** Awake in even distances, from the second hour of the period on; without a wake, from its beginning on. */
function wakeIn(fromAt: number, [wakes, hours]: Wakes): AwakeSpan[] {
  if (wakes === 0) return hours === 0 ? [] : [{ fromAt, untilAt: fromAt + hours * hourMs }];
  return Array.from({ length: wakes }, (_, index) => {
    const at = fromAt + hourMs + (index * 99 * hourMs) / wakes;
    return { fromAt: at, untilAt: at + (hours * hourMs) / wakes };
  });
}

function explain({ before, after, used = [before[1], after[1]], delays, awake }: Lived) {
  const [old, now] = used;
  const parts = explainEndpoint(
    {
      endpoint: {
        past: {
          ...{ account: 'main', project_id: 'p-1', endpoint_id: 'ep-1', fromAt: 0, untilAt: 200 * hourMs },
          awake: awake ?? [...wakeIn(0, before), ...wakeIn(100 * hourMs, after)],
          checks: [],
          ...(delays && { delays }),
        },
        sizes: [{ fromAt: 0, minCu: 1, maxCu: 1 }],
      },
      ...{ before: old * computeHourMs, after: now * computeHourMs, expected: old * computeHourMs },
    },
    periods,
  );
  return parts.map(({ kind, cuMs, sinceAt, evidence }) => ({
    kind,
    hours: cuMs / computeHourMs,
    ...(sinceAt !== undefined && { sinceHour: sinceAt / hourMs }),
    ...(evidence !== undefined && { evidence }),
  }));
}

test('as many wakes as before are said once, and so are lengths', () => {
  expect(explain({ before: [20, 20], after: [20, 60] })).toEqual([
    {
      ...{ kind: 'awake', hours: 40 },
      evidence: 'woken 20 times, as before, for 3 hours instead of 1 hour on average',
    },
  ]);
  expect(explain({ before: [20, 60], after: [21, 63] })).toEqual([
    { kind: 'awake', hours: 3, evidence: 'woken 21 times instead of 20, for 3 hours on average' },
  ]);
});

test('where it was awake all the time no wakes are compared, as fewer of them would explain more use', () => {
  const said = (before: Wakes, after: Wakes) => explain({ before, after }).map(({ evidence }) => evidence);
  expect(said([0, 100], [20, 40])).toEqual([
    'woken 20 times, for 2 hours on average; before, it was awake without a pause',
  ]);
  expect(said([0, 40], [20, 60])).toEqual([
    'woken 20 times, for 3 hours on average; before, it was awake for 40 hours without being woken',
  ]);
  expect(said([0, 40], [0, 0])).toEqual([
    'never awake; before, it was awake for 40 hours without being woken',
  ]);
  expect(said([0, 0], [20, 60])).toEqual(['woken 20 times instead of 0, for 3 hours on average']);
});

test('the time awake before the first wake is in no average', () => {
  const awake = [
    { fromAt: 0, untilAt: 150 * hourMs },
    { fromAt: 160 * hourMs, untilAt: 161 * hourMs },
    { fromAt: 170 * hourMs, untilAt: 171 * hourMs },
  ];
  expect(explain({ before: [0, 100], after: [2, 52], awake }).map(({ evidence }) => evidence)).toEqual([
    'awake for 2.1 days at first, then woken 2 times, for 1 hour on average; before, it was awake without a pause',
  ]);
  const woken = [
    { fromAt: 50 * hourMs, untilAt: 51 * hourMs },
    { fromAt: 98 * hourMs, untilAt: 150 * hourMs },
  ];
  expect(
    explain({ before: [2, 3], after: [2, 52], awake: [...woken, ...awake.slice(1)] }).map(
      ({ evidence }) => evidence,
    ),
  ).toContain('woken 2 times, as before, for 1 hour instead of 90 minutes on average');
});

test('what the time awake does not explain is left as more use', () => {
  expect(explain({ before: [20, 20], after: [20, 60], used: [20, 65] })).toEqual([
    {
      ...{ kind: 'awake', hours: 40 },
      evidence: 'woken 20 times, as before, for 3 hours instead of 1 hour on average',
    },
    { kind: 'use', hours: 5 },
  ]);
});

describe('another auto-suspend delay', () => {
  const since = (hour: number, delayMs?: number): DatedDelay => ({
    fromAt: hour * hourMs,
    ...(delayMs !== undefined && { delayMs }),
  });
  const never = Number.POSITIVE_INFINITY;
  const said = (...delays: readonly DatedDelay[]) =>
    explain({ before: [20, 20], after: [20, 60], delays }).map(({ kind, sinceHour, evidence }) =>
      kind === 'awake' ? kind : `${kind} since ${sinceHour}: ${evidence}`,
    );

  test('is that of the setting, since the reading that first showed it', () => {
    expect(said(since(-1, 5 * minuteMs), since(120, hourMs), since(140, 2 * hourMs))).toEqual([
      'suspend_delay since 140: after its last use it stays awake for 2 hours instead of 5 minutes',
    ]);
    expect(said(since(20, 5 * minuteMs), since(120, hourMs))).toEqual([
      'suspend_delay since 120: after its last use it stays awake for 1 hour instead of 5 minutes',
    ]);
  });

  test('is told where it is suspended no more, or again', () => {
    expect(said(since(-1, 5 * minuteMs), since(120, never))).toEqual([
      'suspend_delay since 120: after its last use it stays awake for good instead of 5 minutes',
    ]);
    expect(said(since(-1), since(120, never))).toEqual([
      'suspend_delay since 120: after its last use it stays awake for good instead of its default',
    ]);
    expect(said(since(-1, never), since(120, 5 * minuteMs))).toEqual([
      'suspend_delay since 120: after its last use it stays awake for 5 minutes instead of for good',
    ]);
  });

  test('is none where the setting is the same at the end, hardly another, or not known of both', () => {
    expect(said(since(-1, 5 * minuteMs), since(120, hourMs), since(140, 5 * minuteMs))).toEqual(['awake']);
    expect(said(since(-1, 5 * minuteMs), since(120, 6 * minuteMs))).toEqual(['awake']);
    expect(said(since(120, hourMs))).toEqual(['awake']);
    expect(said(since(-1), since(120, hourMs))).toEqual(['awake']);
    expect(said()).toEqual(['awake']);
  });
});
