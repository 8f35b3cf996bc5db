import * as v from 'valibot';
import { expect, test } from 'vitest';
import { columnFields } from '../../src/console/answer-field.ts';
import { readRows } from '../../src/console/report-row.ts';
import { type TypedColumn, tabulate } from '../../src/report/format/report.ts';

interface Row {
  readonly name: string;
  readonly at?: number;
  readonly cost?: string;
}

const columns = [
  { key: 'name', kind: 'text', about: 'Its name.', of: ({ name }) => ({ text: name, words: `(${name})` }) },
  { key: 'at', kind: 'instant', about: 'When it was.', of: ({ at }) => at },
  { key: 'cost', kind: 'decimal', about: 'What it cost.', of: ({ cost }) => cost ?? { missing: 'unpriced' } },
  { key: 'is_new', kind: 'flag', about: 'Whether it is new.', of: () => false },
  { key: 'count', kind: 'count', about: 'How many there are.', of: () => 0 },
] satisfies readonly TypedColumn<Row>[];

test('a row has the values of its columns as answers have them, and says why one is missing', () => {
  const rows = readRows<typeof columns>(
    tabulate(columns, [{ name: 'a', at: 1500, cost: '0.10' }, { name: '' }]),
  );
  const same = { is_new: false, count: 0 };
  expect(rows).toEqual([
    { ...same, name: 'a', at: '1970-01-01T00:00:01.500Z', cost: '0.10', missing: {} },
    { ...same, name: null, at: null, cost: null, missing: { cost: 'unpriced' } },
  ]);
  const answer = v.array(v.object(columnFields(columns)));
  expect(v.parse(answer, rows)).toEqual(rows.map(({ missing: _, ...row }) => row));
  // @ts-expect-error: no column has this key.
  expect(rows[0]?.costs).toBeUndefined();
});

test('a field that no row has is null, and one of another kind is refused', () => {
  const answer = v.object(columnFields(columns));
  expect(v.parse(answer, {})).toEqual({ name: null, at: null, cost: null, is_new: null, count: null });
  for (const wrong of [{ name: 1 }, { at: '1970' }, { cost: 'a' }, { is_new: 'no' }, { count: '0' }])
    expect(v.safeParse(answer, wrong).success, JSON.stringify(wrong)).toBe(false);
});
