import { describe, expect, test } from 'vitest';
import { operationList } from '../../src/resources/operation.ts';
import { projectList } from '../../src/resources/project.ts';

describe('an instant', () => {
  const read = (created_at: unknown) => projectList.decode({ id: 'p', created_at })?.created_at;

  test('is UTC whether or not it says so, and fractions of a second count', () => {
    expect(read('2026-11-21T10:00:00Z')).toBe(1795255200000);
    expect(read('2026-11-21T10:00:00')).toBe(1795255200000);
    expect(read('2026-11-21T12:00:00+02:00')).toBe(1795255200000);
    expect(read('2026-11-21T10:00:00.123456Z')).toBe(1795255200123);
  });

  test('is of a day that its month has', () => {
    expect(read('2028-02-29T10:00:00Z')).toBe(Date.UTC(2028, 1, 29, 10));
    expect(read('2026-02-29T10:00:00Z')).toBeUndefined();
    expect(read('2026-04-31T23:00:00-04:00')).toBeUndefined();
  });

  test.each(['0001-01-01T00:00:00Z', '1969-12-31T23:59:59Z', '2026-13-45T99:00:00Z', 'yesterday', '', 0])(
    'is absent when it is %j',
    value => expect(read(value)).toBeUndefined(),
  );
});

describe('texts without an end', () => {
  const long = 'ä'.repeat(1_000_000);

  test('are cut where they are names, and kept where names are long', () => {
    expect(projectList.decode({ id: 'p', name: long })?.project_name).toHaveLength(16_384);
    const name = 'n'.repeat(10_000);
    expect(projectList.decode({ id: 'p', name })?.project_name).toBe(name);
  });

  test('are no identifiers', () => {
    expect(projectList.decode({ id: long })).toBeUndefined();
    expect(projectList.decode({ id: 'i'.repeat(10_000) })?.project_id).toHaveLength(10_000);
  });

  test('are cut where they are words', () => {
    const operation = { id: 'o', action: long, status: 'finished', failures_count: 0 };
    expect(operationList.decode(operation)?.action).toHaveLength(16_384);
  });
});
