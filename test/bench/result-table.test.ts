import { expect, test } from 'vitest';
import { declareBenchmark, type Row } from './benchmark.ts';
import { type Result, renderGoals, renderText } from './result-table.ts';

const benchmark = declareBenchmark({
  name: 'send',
  goal: 'Sending is fast.',
  sizes: { tiny: 1, small: 2, full: 3 },
  run: async () => [],
});
const rows: readonly Row[] = [
  { what: 'nginx', value: 2, unit: 'ms' },
  { what: 'exporter', value: 3.1234, unit: 'ms', ratioTo: 'nginx', goal: { of: 'ratio', atMost: 1.5 } },
  { what: 'bytes', value: 1234567, unit: '', goal: { of: 'value', atLeast: 1_000_000 } },
  { what: 'orphan', value: 1, unit: 'ms', ratioTo: 'skipped', goal: { of: 'ratio', atMost: 2 } },
];
const result: Result = { benchmark, rows, remarks: ['skipped: x not found'], durationMs: 1499 };

test('a terminal is shown every value with its ratio and whether its goal is met', () => {
  expect(renderText(result)).toBe(`send (1 s): Sending is fast.
  what      value      ratio   goal         met
  nginx     2 ms
  exporter  3.12 ms    1.56 ×  ≤ 1.5 ×      NO
  bytes     1,234,567          ≥ 1,000,000  yes
  orphan    1 ms               ≤ 2 ×
  skipped: x not found
`);
});

test('the document has a row for each goal, and for what failed', () => {
  expect(renderGoals({ ...result, remarks: [...result.remarks, 'failed: not done after 90 s'] })).toEqual([
    '| send: exporter | 1.56 ×, **missed** | ≤ 1.5 × |',
    '| send: bytes | 1,234,567 | ≥ 1,000,000 |',
    '| send: orphan |  | ≤ 2 × |',
    '| send: failed: not done after 90 s |  |  |',
  ]);
});
