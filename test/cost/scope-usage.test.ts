import { expect, test } from 'vitest';
import { ScopeUsage } from '../../src/cost/forecast/scope-usage.ts';

const firstHourAt = Date.parse('2026-11-01T00:00:00Z');
const at = (day: string) => Date.parse(`2026-11-${day}Z`);
const project = (project_ref: number, more: { created_at?: number; gone_at?: number } = {}) => ({
  ...{ project_ref, account: 'main', project_id: `p${project_ref}` },
  ...more,
});
const hours = (...values: number[]) => Float64Array.from(values);

test('those that were there all the time are added up, the others are kept apart', () => {
  const gathering = new ScopeUsage(firstHourAt, 2, 4);
  gathering.add(project(1), hours(1, 2));
  gathering.add(project(2, { created_at: firstHourAt }), hours(10, 20));
  gathering.add(project(3, { created_at: at('02T10:00:00') }), hours(0, 5));
  gathering.add(project(4, { gone_at: at('03T00:00:00') }), hours(7, 0));
  expect(gathering.hourly()).toEqual({
    firstHourAt,
    steady: hours(11, 22),
    young: [{ bornAt: at('02T10:00:00'), hours: hours(0, 5) }],
    gone: [{ bornAt: firstHourAt, goneAt: at('03T00:00:00'), hours: hours(7, 0) }],
  });
});

test('of many those that came and went on the same days are taken together', () => {
  const gathering = new ScopeUsage(firstHourAt, 1, 501);
  gathering.add(project(1, { created_at: at('02T10:00:00') }), hours(1));
  gathering.add(project(2, { created_at: at('02T20:00:00') }), hours(2));
  gathering.add(project(3, { created_at: at('03T10:00:00') }), hours(4));
  gathering.add(project(4, { created_at: at('02T10:00:00'), gone_at: at('03T00:00:00') }), hours(8));
  const { young, gone } = gathering.hourly();
  expect(young).toEqual([
    { bornAt: at('02T10:00:00'), hours: hours(3) },
    { bornAt: at('03T10:00:00'), hours: hours(4) },
  ]);
  expect(gone).toHaveLength(1);
});
