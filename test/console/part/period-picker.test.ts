import { renderToString } from 'preact-render-to-string';
import * as v from 'valibot';
import { expect, test } from 'vitest';
import { html } from '../../../src/console/part/html.ts';
import { periodPicker, readDays } from '../../../src/console/part/period-picker.ts';
import { readQuery } from '../../../src/console/query.ts';

const offered = {
  periods: [
    { period: 'billing', first_day: '2026-10-30', last_day: '2026-11-24' },
    { period: 'this-month', first_day: '2026-11-01', last_day: '2026-11-24' },
  ],
  more_periods: [
    { period: '2026-11', first_day: '2026-11-01', last_day: '2026-11-24' },
    { period: '2026-Q4', first_day: '2026-10-01', last_day: '2026-11-24' },
    { period: 'billing:2026-10', first_day: '2026-10-30', last_day: '2026-11-24' },
  ],
  known_since: '2026-10-04',
};
const draw = (period: string) =>
  renderToString(
    html`<div>${periodPicker('/cost', { period, by: 'project', cursor: 'x', account: '' }, offered)}</div>`,
  );

test('a picker leads to the same page of another period, and not to a later part of its list', () => {
  const drawn = draw('billing');
  expect(drawn).toContain(
    '<a href="/cost?period=this-month&amp;by=project">This month</a></nav><details class="pick period"><summary>Other',
  );
  expect(drawn).toContain(
    '<a href="/cost?period=billing&amp;by=project" aria-current="true">This period</a>',
  );
  expect(drawn).toContain(
    '<p class="s">Month</p><div class="months"><a href="/cost?period=2026-11&amp;by=project">2026-11</a></div>' +
      '<p class="s">Quarter</p><div class="months"><a href="/cost?period=2026-Q4&amp;by=project">2026-Q4</a></div>' +
      '<p class="s">Billing period from</p><div class="months"><a href="/cost?period=billing%3A2026-10&amp;by=project">2026-10</a></div>' +
      '<p class="s">Known since 4 October 2026</p>',
  );
  expect(drawn).not.toContain('cursor');
});

test('days are shown and read with the last one of them', () => {
  expect(draw('2026-10-01..2026-11-01')).toContain('name="to" value="2026-10-31"');
  expect(readDays('2026-10-01', '2026-10-31')).toBe('2026-10-01..2026-11-01');
  expect(readDays('2026-10-01', '2026-02-31')).toBeUndefined();
  expect(readDays('now', '2026-10-31')).toBeUndefined();
});

test('two days of a form are a period of a page that has one', () => {
  const schema = v.object({ period: v.optional(v.string(), 'billing') });
  expect(readQuery(schema, {}, '?from=2026-10-01&to=2026-10-31')).toEqual({
    period: '2026-10-01..2026-11-01',
  });
  expect(() => readQuery(schema, {}, '?from=2026-10-01')).toThrow('"from"');
  expect(() => readQuery(v.object({}), {}, '?from=2026-10-01&to=2026-10-31')).toThrow('"from", "to"');
});

test('days in the wrong order are a problem that says them as they were written, and leads to them in order', () => {
  const schema = v.object({ period: v.optional(v.string(), 'billing'), by: v.optional(v.string()) });
  const read = () => readQuery(schema, {}, '?by=line&from=2026-11-20&to=2026-11-10');
  expect(read).toThrow(
    expect.objectContaining({
      title: 'To is before From',
      message: 'From is 2026-11-20, and To is 2026-11-10.',
      possible: [{ address: '?by=line&from=2026-11-10&to=2026-11-20', words: '2026-11-10 to 2026-11-20' }],
    }),
  );
});
