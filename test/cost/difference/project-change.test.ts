import { describe, expect, test } from 'vitest';
import { explainProject, findProjectArrival } from '../../../src/cost/difference/project-change.ts';

const month = (number: number) => ({
  fromAt: Date.UTC(2026, number, 1),
  untilAt: Date.UTC(2026, number + 1, 1),
});
const periods = { october: month(9), december: month(11) };
const born = Date.UTC(2026, 9, 8);

test.each([
  ['the earlier period is the first one', { before: periods.october, after: periods.december }, 1],
  ['the later period is the first one', { before: periods.december, after: periods.october }, -1],
])('a project that was made within a period lived for less of it since then: %s', (_, compared, sign) => {
  const project = { project_ref: 1, account: 'main', project_id: 'p-1', created_at: born };
  const { parts } = explainProject(
    { project, before: 1000, after: 1000, endpoints: () => undefined },
    compared,
  );
  const lived = parts().find(({ kind }) => kind === 'lifetime');
  expect(lived).toMatchObject({ kind: 'lifetime', sinceAt: born });
  expect(lived).not.toHaveProperty('endedAt');
  expect(Math.sign(lived?.cuMs ?? 0)).toBe(sign);
});

test('a project that nothing but the meter tells of is not gone: how long it was there is not known', () => {
  const project = { project_ref: -1, account: 'main', project_id: 'p-1', created_at: born, gone_at: born };
  const compared = { before: periods.october, after: periods.december };
  expect(findProjectArrival(project, compared, { before: 1, after: 1 })).toBeUndefined();
});

describe('a project that was made late in the first period', () => {
  const bornAt = Date.UTC(2026, 9, 19);
  const project = { project_ref: 1, account: 'main', project_id: 'p-1', created_at: bornAt };
  const [earlier, later] = [periods.october, periods.december];
  const said = (before: number, after: number, compared = { before: earlier, after: later }) =>
    findProjectArrival(project, compared, { before, after });

  test('is new only where it used nothing in it', () => {
    expect(said(0, 1000)).toEqual({ kind: 'new', sinceAt: bornAt });
    expect(said(400, 1000)).toEqual({ kind: 'lifetime', sinceAt: bornAt });
    expect(said(1000, 400, { before: later, after: earlier })).toEqual({ kind: 'lifetime', sinceAt: bornAt });
  });

  test('used less where it did so although it existed for longer', () => {
    expect(said(1000, 400)).toEqual({ kind: 'use' });
  });
});
