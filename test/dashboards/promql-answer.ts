import { type ExecFileException, execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A series by its name and labels, with its samples as promtool's tests have them. */
export type WrittenSeries = readonly [name: string, values: string];

/** @returns what promtool says; empty where the query answers so at the end of an hour. JSON is YAML. */
export function askPromtool(
  promtool: string,
  series: readonly WrittenSeries[],
  expr: string,
  value: number,
): string {
  const folder = mkdtempSync(join(tmpdir(), 'dbpm-promql-'));
  const input_series = series.map(([name, values]) => ({ series: name, values }));
  const promql_expr_test = [{ expr, eval_time: '60m', exp_samples: [{ labels: '{}', value }] }];
  const file = join(folder, 'test.yml');
  writeFileSync(file, JSON.stringify({ tests: [{ interval: '1m', input_series, promql_expr_test }] }));
  try {
    execFileSync(promtool, ['test', 'rules', file], { encoding: 'utf8', stdio: 'pipe' });
    return '';
  } catch (error) {
    const { stdout, stderr } = error as ExecFileException;
    return `${stdout}${stderr}`;
  } finally {
    rmSync(folder, { recursive: true });
  }
}
