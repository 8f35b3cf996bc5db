import { describe, expect, test } from 'vitest';
import { showsLaterVersion } from '../../src/daemon/list-evidence.ts';
import { consumptionList } from '../../src/resources/consumption.ts';

const hour = { timeframe_start: '2026-11-20T10:00:00Z', timeframe_end: '2026-11-20T11:00:00Z' };
const fromAt = Date.UTC(2026, 10, 20, 10);
const untilAt = Date.UTC(2026, 10, 20, 11);
const compute = (value: unknown) => ({ metric_name: 'compute_unit_seconds', value });
const project = (consumption: unknown) => ({
  project_id: 'p',
  periods: [{ period_id: '1', period_plan: 'launch', period_start: '2026-11-01T00:00:00Z', consumption }],
});

const decode = (item: unknown) => consumptionList('hourly').decode(item);
const nothing = { project_id: 'p', timeframes: [], lost: 0 };
const whole = {
  project_id: 'p',
  timeframes: [{ timeframe_start: fromAt, timeframe_end: untilAt, amounts: { compute_unit_seconds: 7 } }],
  lost: 0,
};

describe('what the service tells of consumption', () => {
  test('is read with every metric it has, and metrics nobody knows yet are passed over', () => {
    const metrics = [
      compute(3600),
      { metric_name: 'root_branch_bytes_month', value: 11 },
      { metric_name: 'child_branch_bytes_month', value: 12 },
      { metric_name: 'instant_restore_bytes_month', value: 13 },
      { metric_name: 'snapshot_storage_bytes_month', value: 14 },
      { metric_name: 'public_network_transfer_bytes', value: 15 },
      { metric_name: 'private_network_transfer_bytes', value: 16 },
      { metric_name: 'extra_branches_month', value: 0 },
      { metric_name: 'quantum_entanglements', value: 99 },
    ];
    expect(decode(project([{ ...hour, metrics }]))).toEqual({
      project_id: 'p',
      timeframes: [
        {
          timeframe_start: fromAt,
          timeframe_end: untilAt,
          amounts: {
            compute_unit_seconds: 3600,
            root_branch_bytes_month: 11,
            child_branch_bytes_month: 12,
            instant_restore_bytes_month: 13,
            snapshot_storage_bytes_month: 14,
            public_network_transfer_bytes: 15,
            private_network_transfer_bytes: 16,
            extra_branches_month: 0,
          },
        },
      ],
      lost: 0,
    });
  });

  test.each([
    ['value: present', [{ ...hour, metrics: [compute(7)] }], { ...whole }],
    ['value: absent', [{ ...hour, metrics: [{ metric_name: 'compute_unit_seconds' }] }], unknown(0)],
    ['value: null', [{ ...hour, metrics: [compute(null)] }], unknown(0)],
    ['value: a text', [{ ...hour, metrics: [compute('7')] }], unknown(1)],
    ['value: a fraction', [{ ...hour, metrics: [compute(7.5)] }], unknown(1)],
    ['value: negative', [{ ...hour, metrics: [compute(-7)] }], unknown(1)],
    ['value: beyond all measure', [{ ...hour, metrics: [compute(1e300)] }], unknown(1)],
    ['metric_name: absent', [{ ...hour, metrics: [{ value: 7 }] }], unknown(0)],
    ['metrics: absent', [{ ...hour }], unknown(0)],
    ['metrics: null', [{ ...hour, metrics: null }], unknown(0)],
    ['metrics: a text', [{ ...hour, metrics: 'none' }], unknown(1)],
    ['metrics: with what is no object', [{ ...hour, metrics: [null, compute(7)] }], { ...whole, lost: 1 }],
    [
      'timeframe_start: absent',
      [{ ...hour, timeframe_start: undefined, metrics: [] }],
      { ...nothing, lost: 1 },
    ],
    ['timeframe_start: null', [{ ...hour, timeframe_start: null, metrics: [] }], { ...nothing, lost: 1 }],
    ['timeframe_start: a number', [{ ...hour, timeframe_start: 5, metrics: [] }], { ...nothing, lost: 1 }],
    ['timeframe_end: absent', [{ ...hour, timeframe_end: undefined, metrics: [] }], { ...nothing, lost: 1 }],
    [
      'timeframe_end: before the start',
      [{ ...hour, timeframe_end: '2026-11-20T09:00:00Z' }],
      { ...nothing, lost: 1 },
    ],
    [
      'timeframe_end: in the next hour',
      [{ ...hour, timeframe_end: '2026-11-20T11:00:01Z' }],
      { ...nothing, lost: 1 },
    ],
    ['a timeframe that is none', [7, { ...hour, metrics: [compute(7)] }], { ...whole, lost: 1 }],
    ['consumption: null', null, nothing],
    ['consumption: an object', {}, { ...nothing, lost: 1 }],
  ])('%s', (_, consumption, expected) => {
    expect(decode(project(consumption))).toEqual(expected);
  });

  function unknown(lost: number) {
    return {
      project_id: 'p',
      timeframes: [{ timeframe_start: fromAt, timeframe_end: untilAt, amounts: {} }],
      lost,
    };
  }

  test.each([
    ['absent', undefined, nothing],
    ['null', null, nothing],
    ['a text', 'none', { ...nothing, lost: 1 }],
    ['with what is no object', [null], { ...nothing, lost: 1 }],
  ])('periods: %s', (_, periods, expected) => {
    expect(decode({ project_id: 'p', periods })).toEqual(expected);
  });

  test.each([[null], ['p'], [[]], [{}], [{ project_id: '' }], [{ project_id: null }]])(
    'without an id there is no project: %j',
    item => {
      expect(decode(item)).toBeUndefined();
    },
  );

  test('a timeframe told twice within a period counts once; one that two periods share is the sum of both parts', () => {
    const metrics = (value: number) => [compute(value)];
    const first = {
      period_id: '1',
      consumption: [
        { ...hour, metrics: metrics(7) },
        { ...hour, metrics: metrics(9) },
      ],
    };
    const second = { period_id: '2', consumption: [{ ...hour, metrics: metrics(30) }] };
    expect(decode({ project_id: 'p', periods: [first, second] })?.timeframes).toEqual([
      { timeframe_start: fromAt, timeframe_end: untilAt, amounts: { compute_unit_seconds: 39 } },
    ]);
  });

  test('a month of many terabytes, counted in byte-hours, is believed, and more than anybody stores is not', () => {
    const month = { timeframe_start: '2026-10-01T00:00:00Z', timeframe_end: '2026-11-01T00:00:00Z' };
    const stored = (bytes: number) => [{ metric_name: 'root_branch_bytes_month', value: bytes * 744 }];
    const readMonth = (bytes: number) =>
      consumptionList('monthly').decode(project([{ ...month, metrics: stored(bytes) }]));
    expect(readMonth(16e12)).toMatchObject({
      timeframes: [{ amounts: { root_branch_bytes_month: 16e12 * 744 } }],
      lost: 0,
    });
    expect(readMonth(2e15)).toMatchObject({ timeframes: [{ amounts: {} }], lost: 1 });
  });

  test('timeframes come in order, whatever order they are told in', () => {
    const later = {
      timeframe_start: '2026-11-20T11:00:00Z',
      timeframe_end: '2026-11-20T12:00:00Z',
      metrics: [],
    };
    const read = decode(project([later, { ...hour, metrics: [] }]));
    expect(read?.timeframes.map(({ timeframe_start }) => timeframe_start)).toEqual([fromAt, untilAt]);
  });

  test('a day reaches over no midnight and a month over no end of a month, or time would count twice', () => {
    const read = (granularity: 'daily' | 'monthly', timeframe_start: string, timeframe_end: string) =>
      consumptionList(granularity).decode(project([{ timeframe_start, timeframe_end, metrics: [] }]))?.lost;
    expect(read('daily', '2026-11-20T00:00:00Z', '2026-11-21T00:00:00Z')).toBe(0);
    expect(read('daily', '2026-11-20T12:00:00Z', '2026-11-21T12:00:00Z')).toBe(1);
    expect(read('monthly', '2026-10-01T00:00:00Z', '2026-11-01T00:00:00Z')).toBe(0);
    expect(read('monthly', '2026-10-15T00:00:00Z', '2026-11-15T00:00:00Z')).toBe(1);
  });
});

test('a project of the list shows a later version by any field that only later versions have', () => {
  const asSpecified = { id: 'p', name: 'p', cpu_used_sec: 1, branch_logical_size_limit: 3072, locked: false };
  expect(showsLaterVersion(asSpecified)).toBe(false);
  expect(showsLaterVersion({ ...asSpecified, quota_reset_at: null })).toBe(true);
  expect(showsLaterVersion({ ...asSpecified, active_time: 0 })).toBe(true);
  expect(showsLaterVersion(null)).toBe(false);
});
