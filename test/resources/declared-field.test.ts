import { describe, expect, test } from 'vitest';
import { apiKeyList } from '../../src/resources/api-key.ts';
import { branchList } from '../../src/resources/branch.ts';
import { endpointList } from '../../src/resources/endpoint.ts';
import type { ListDefinition } from '../../src/resources/list-definition.ts';
import { operationList } from '../../src/resources/operation.ts';
import { projectList } from '../../src/resources/project.ts';
import { decodeProjectUsage } from '../../src/resources/project-usage.ts';

/** A field as a later version of the service sent it, what is read of it, and values of a wrong type. */
interface RecordedField {
  readonly list: ListDefinition<object>;
  /** Its place in the item. */
  readonly at: string;
  readonly sent: unknown;
  readonly read: Readonly<Record<string, unknown>>;
  readonly wrong: readonly unknown[];
  /** Other values that say there is none. */
  readonly none?: readonly unknown[];
}

const noAmounts = ['12', -1, true, [], {}, Number.NaN, 1e300];
const noTexts = [7, true, [], {}];
const noInstants = ['soon', '2026-13-45T00:00:00Z', 1795251600, true, [], {}];
const zeroTimes = ['0001-01-01T00:00:00Z', '1970-01-01T00:00:00Z', '2000-01-01T00:00:00Z'];

const items = new Map<ListDefinition<object>, Readonly<Record<string, unknown>>>([
  [branchList, { id: 'br-1' }],
  [apiKeyList, { id: 7, name: 'ci' }],
  [projectList, { id: 'p', name: 'shop', cpu_used_sec: 5 }],
  [operationList, { id: 'o', action: 'start_compute', status: 'finished' }],
  [endpointList, { id: 'e', current_state: 'idle', settings: { pg_settings: {} } }],
]);

const fields: readonly RecordedField[] = [
  {
    list: operationList,
    at: 'total_duration_ms',
    sent: 1834,
    read: { total_duration_ms: 1834 },
    wrong: noAmounts,
  },
  {
    list: operationList,
    at: 'error',
    sent: 'no room',
    read: { error: 'no room' },
    wrong: noTexts,
  },
  {
    list: operationList,
    at: 'retry_at',
    sent: '2026-11-21T09:00:00Z',
    read: { retry_at: 1795251600000 },
    wrong: noInstants,
    none: zeroTimes,
  },
  ...[0, -1, 300].map(seconds => ({
    list: endpointList,
    at: 'suspend_timeout_seconds',
    sent: seconds,
    read: { suspend_timeout_seconds: seconds },
    wrong: [...noAmounts.filter(value => value !== -1), -2],
  })),
  ...['owner_id', 'org_id', 'org_name'].map(at => ({
    list: projectList,
    at,
    sent: 'quiet sea',
    read: { [at]: 'quiet sea' },
    wrong: noTexts,
  })),
  ...['active_time', 'synthetic_storage_size', 'branch_logical_size_limit_bytes'].map(at => ({
    list: projectList,
    at,
    sent: 2 ** 40,
    read: { [at]: 2 ** 40 },
    wrong: noAmounts,
  })),
  {
    list: projectList,
    at: 'history_retention_seconds',
    sent: 0,
    read: { history_retention_seconds: 0 },
    wrong: noAmounts,
  },
  ...[
    'compute_last_active_at',
    'maintenance_starts_at',
    'deleted_at',
    'recoverable_until',
    'quota_reset_at',
  ].map(at => ({
    list: projectList,
    at,
    sent: '2026-11-21T09:00:00Z',
    read: { [at]: 1795251600000 },
    wrong: noInstants,
    none: zeroTimes,
  })),
  ...[
    'active_time_seconds',
    'compute_time_seconds',
    'written_data_bytes',
    'data_transfer_bytes',
    'logical_size_bytes',
  ].map(limit => ({
    list: projectList,
    at: `settings.quota.${limit}`,
    sent: 3600,
    read: { [`quota_${limit}`]: 3600 },
    wrong: noAmounts,
    none: [0],
  })),
  {
    list: apiKeyList,
    at: 'created_by.id',
    sent: 'person-1',
    read: { created_by_id: 'person-1' },
    wrong: [true, [], {}, 1.5],
  },
  {
    list: apiKeyList,
    at: 'created_by.name',
    sent: 'Ada Novak',
    read: { created_by_name: 'Ada Novak' },
    wrong: noTexts,
  },
  {
    list: branchList,
    at: 'name',
    sent: 'dev',
    read: { branch_name: 'dev' },
    wrong: noTexts,
  },
  { list: branchList, at: 'parent_id', sent: 'br-0', read: { parent_id: 'br-0' }, wrong: [true, [], {}] },
  ...[true, false].map(flag => ({
    list: branchList,
    at: 'default',
    sent: flag,
    read: { default: flag },
    wrong: ['yes', 1, [], {}],
  })),
  ...['logical_size', 'compute_time_seconds', 'active_time_seconds'].map(at => ({
    list: branchList,
    at,
    sent: 2 ** 40,
    read: { [at]: 2 ** 40 },
    wrong: noAmounts,
  })),
  ...['created_at', 'expires_at'].map(at => ({
    list: branchList,
    at,
    sent: '2026-11-21T09:00:00Z',
    read: { [at]: 1795251600000 },
    wrong: noInstants,
    none: zeroTimes,
  })),
  ...['started_at', 'suspended_at'].map(at => ({
    list: endpointList,
    at,
    sent: '2026-11-21T09:00:00.25Z',
    read: { [at]: 1795251600250 },
    wrong: noInstants,
    none: zeroTimes,
  })),
];

/** The item with a value at a place in it, such as `settings.quota.active_time_seconds`. */
function put(item: Readonly<Record<string, unknown>>, at: string, value: unknown): Record<string, unknown> {
  const [first = '', ...rest] = at.split('.');
  return { ...item, [first]: rest.length === 0 ? value : put({}, rest.join('.'), value) };
}

describe.each(fields)('$at $sent', ({ list, at, sent, read, wrong, none = [] }) => {
  const item = items.get(list) ?? {};
  const without = list.decode(item);

  test('is read where it is present', () => {
    expect(list.decode(put(item, at, sent))).toStrictEqual({ ...without, ...read });
  });

  test('is absent where the service sends none', () => {
    expect(without).toBeDefined();
    for (const name of Object.keys(read)) expect(without).not.toHaveProperty(name);
    for (const value of [undefined, null, '', ...none]) {
      expect(list.decode(put(item, at, value)), String(value)).toStrictEqual(without);
    }
  });

  test('is lost and named where it has a wrong type, and nothing else is', () => {
    for (const value of wrong) {
      expect(list.decode(put(item, at, value)), String(value)).toStrictEqual({
        ...without,
        lostFields: Object.keys(read),
      });
    }
  });
});

test('limits in something that is no object are lost, all of them, and the project is not', () => {
  for (const settings of ['none', 7, [], { quota: 'none' }]) {
    const project = projectList.decode({ id: 'p', settings });
    expect(project).toMatchObject({ project_id: 'p' });
    expect(project?.lostFields).toHaveLength(5);
  }
  expect(projectList.decode({ id: 'p', settings: { quota: {} } })).toStrictEqual({ project_id: 'p' });
});

describe('a field of the specification', () => {
  const lost = (list: ListDefinition<object>, fields: object) => {
    const decoded = list.decode({ ...items.get(list), ...fields });
    return decoded !== undefined && 'lostFields' in decoded ? decoded.lostFields : [];
  };

  test('that figures rest on and that cannot be used is lost and named, as one of a later version', () => {
    expect(lost(projectList, { cpu_used_sec: '5', created_at: 1795251600, updated_at: 'today' })).toEqual([
      'cpu_used_sec',
      'created_at',
      'updated_at',
    ]);
    expect(lost(operationList, { failures_count: '1', total_duration_ms: '12' })).toEqual([
      'failures_count',
      'total_duration_ms',
    ]);
    expect(lost(endpointList, { autoscaling_limit_max_cu: '0.25' })).toEqual(['autoscaling_limit_max_cu']);
    expect(lost(apiKeyList, { last_used_at: 0 })).toEqual(['last_used_at']);
  });

  test('that an item of another resource has is nothing that could be lost', () => {
    expect(lost(branchList, { cpu_used_sec: 78, failures_count: 'many' })).toEqual([]);
    expect(decodeProjectUsage({ project: { cpu_used_sec: 78, compute_time_seconds: 5 } })).toStrictEqual({
      compute_time_seconds: 5,
    });
  });

  test('that is missing, empty or says never is not lost', () => {
    expect(lost(projectList, { cpu_used_sec: null, created_at: '', updated_at: undefined })).toEqual([]);
    for (const last_used_at of [null, ...zeroTimes]) expect(lost(apiKeyList, { last_used_at })).toEqual([]);
  });
});
