import { describe, expect, test } from 'vitest';
import { apiKeyList } from '../../src/resources/api-key.ts';
import { endpointList } from '../../src/resources/endpoint.ts';
import { decodeOperationAnswer, hasEnded, hasFailed, operationList } from '../../src/resources/operation.ts';
import { projectList } from '../../src/resources/project.ts';

describe('a project', () => {
  test('is read with every field of the specification', () => {
    const project = projectList.decode({
      id: 'spring-123',
      name: 'shop',
      platform_id: 'aws',
      region_id: 'aws-us-east-2',
      provisioner: 'k8s-pod',
      pg_version: 15,
      locked: false,
      cpu_used_sec: 5400,
      branch_logical_size_limit: 3072,
      proxy_host: 'us-east-2.example.com',
      created_at: '2026-11-01T08:00:00Z',
      updated_at: '2026-11-20T08:00:00Z',
    });
    expect(project).toEqual({
      project_id: 'spring-123',
      project_name: 'shop',
      platform_id: 'aws',
      region_id: 'aws-us-east-2',
      provisioner: 'k8s-pod',
      pg_version: '15',
      locked: false,
      cpu_used_sec: 5400,
      branch_logical_size_limit: 3072,
      proxy_host: 'us-east-2.example.com',
      created_at: 1793520000000,
      updated_at: 1795161600000,
    });
  });

  test('lacks what the service does not report, cpu_used_sec and locked among them', () => {
    expect(projectList.decode({ id: 'p' })).toStrictEqual({ project_id: 'p' });
  });

  test('loses fields of a wrong kind, not itself', () => {
    const item = { id: 'p', name: 7, locked: 'yes', cpu_used_sec: '12', created_at: 12, updated_at: 'soon' };
    const lostFields = ['cpu_used_sec', 'created_at', 'updated_at'];
    expect(projectList.decode(item)).toStrictEqual({ project_id: 'p', lostFields });
  });

  test('keeps cpu_used_sec exactly as reported, also where it can be no time used', () => {
    for (const cpu_used_sec of [-1, 0, 1.5, 1e300]) {
      expect(projectList.decode({ id: 'p', cpu_used_sec })).toStrictEqual({ project_id: 'p', cpu_used_sec });
    }
  });

  test('ignores fields nobody knows', () => {
    expect(projectList.decode({ id: 'p', quota: { a: [1] }, author_id: 'u' })).toStrictEqual({
      project_id: 'p',
    });
  });

  test('keeps quotes, newlines, emoji and 10 kB names as they are', () => {
    for (const name of ['say "hi"\\', 'two\nlines', '🐘', 'x'.repeat(10_000), 'nul\u0000byte']) {
      expect(projectList.decode({ id: 'p', name })?.project_name).toBe(name);
    }
  });

  test('writes a lone surrogate as the replacement character, so that the page stays UTF-8', () => {
    expect(projectList.decode({ id: 'p', name: 'a\ud800b' })?.project_name).toBe('a\ufffdb');
  });

  test('is rejected without an id, and when it is no object', () => {
    for (const item of [{}, { id: '' }, { id: null }, { id: 2 ** 60 }, null, [], 'p', 7, undefined]) {
      expect(projectList.decode(item)).toBeUndefined();
    }
  });
});

describe('an endpoint', () => {
  test('is read with every field that is exposed', () => {
    const endpoint = endpointList.decode({
      id: 'ep-1',
      host: 'ep-1.example.com',
      project_id: 'another project: the path decides',
      branch_id: 'br-1',
      region_id: 'aws-us-east-2',
      type: 'read_write',
      autoscaling_limit_min_cu: 0.25,
      autoscaling_limit_max_cu: 7,
      current_state: 'active',
      settings: { pg_settings: {} },
      pooler_enabled: false,
      pooler_mode: 'transaction',
      disabled: false,
      passwordless_access: true,
      last_active: '2026-11-21T09:00:00Z',
      created_at: '2026-11-01T08:00:00Z',
      updated_at: '2026-11-20T08:00:00Z',
      proxy_host: 'us-east-2.example.com',
    });
    expect(endpoint).toStrictEqual({
      endpoint_id: 'ep-1',
      host: 'ep-1.example.com',
      branch_id: 'br-1',
      region_id: 'aws-us-east-2',
      type: 'read_write',
      autoscaling_limit_min_cu: 0.25,
      autoscaling_limit_max_cu: 7,
      current_state: 'active',
      pooler_enabled: false,
      pooler_mode: 'transaction',
      disabled: false,
      passwordless_access: true,
      last_active: 1795251600000,
      created_at: 1793520000000,
      updated_at: 1795161600000,
      proxy_host: 'us-east-2.example.com',
    });
  });

  test('passes unknown states and types on, and a pending state in a list', () => {
    const item = { id: 'e', current_state: 'warming', pending_state: 'active', type: 'read_only' };
    expect(endpointList.decode(item)).toStrictEqual({
      endpoint_id: 'e',
      current_state: 'warming',
      pending_state: 'active',
      type: 'read_only',
    });
  });

  test('accepts sizes of up to 56 CU', () => {
    expect(endpointList.decode({ id: 'e', autoscaling_limit_max_cu: 56 })?.autoscaling_limit_max_cu).toBe(56);
  });

  test.each(['2000-01-01T00:00:00Z', '0001-01-01T00:00:00Z', '1969-12-31T23:59:59Z', null, ''])(
    'was never active when last_active is %j',
    last_active => expect(endpointList.decode({ id: 'e', last_active })).toStrictEqual({ endpoint_id: 'e' }),
  );
});

describe('an operation', () => {
  const required = { id: 'op', action: 'create_branch', status: 'running' };

  test('may lack branch_id and endpoint_id and carry fields nobody knows', () => {
    const item = { ...required, weather: 'x', expires_at: '2026-11-21T09:00:00Z', attempt_ms: 12 };
    expect(operationList.decode(item)).toStrictEqual({
      operation_id: 'op',
      action: 'create_branch',
      status: 'running',
    });
  });

  test('counts finished and skipped as success, failed, error and cancelled as failure, all else as unfinished', () => {
    const words = [
      'scheduling',
      'running',
      'cancelling',
      'finished',
      'skipped',
      'failed',
      'error',
      'cancelled',
    ];
    expect(words.map(word => [word, hasEnded(word), hasFailed(word)])).toEqual([
      ['scheduling', false, false],
      ['running', false, false],
      ['cancelling', false, false],
      ['finished', true, false],
      ['skipped', true, false],
      ['failed', true, true],
      ['error', true, true],
      ['cancelled', true, true],
    ]);
    expect(hasEnded('brewing')).toBe(false);
  });

  test('is read from the answer to a single reading as from a list', () => {
    expect(decodeOperationAnswer({ operation: required })).toEqual(operationList.decode(required));
    expect(decodeOperationAnswer([])).toBeUndefined();
    expect(decodeOperationAnswer(null)).toBeUndefined();
  });

  test('takes only whole numbers from 0 up as failures_count', () => {
    const failures = [3, 0, -1, 1.5, 2 ** 40, Number.NaN, '3'];
    const read = failures.map(
      failures_count => operationList.decode({ ...required, failures_count })?.failures_count,
    );
    expect(read).toEqual([3, 0, undefined, undefined, undefined, undefined, undefined]);
  });

  test('is rejected without an action or a status', () => {
    expect(operationList.decode({ ...required, action: '' })).toBeUndefined();
    expect(operationList.decode({ ...required, status: null })).toBeUndefined();
  });
});

describe('an API key', () => {
  test('never used has neither a last use nor an address', () => {
    const item = { id: 7, name: 'ci', created_at: '2026-11-01T08:00:00Z', last_used_at: null };
    expect(apiKeyList.decode({ ...item, last_used_from_addr: '' })).toStrictEqual({
      key_id: '7',
      key_name: 'ci',
      created_at: 1793520000000,
    });
  });

  test('was used from the first hop of a chain of proxies', () => {
    const key = apiKeyList.decode({ id: 7, last_used_from_addr: '49.43.218.132,34.211.200.85' });
    expect(key?.last_used_from_addr).toBe('49.43.218.132');
  });

  test('never carries its value', () => {
    expect(apiKeyList.decode({ id: 7, key: 'secret', token: 'secret' })).toStrictEqual({ key_id: '7' });
  });
});
