import type { Problem } from './problem.ts';
import type { Setting } from './setting-row.ts';
import type { ConfigChecks } from './value-kind.ts';

/** A setting as somebody wrote it, with the place where they did. */
export interface WrittenValue {
  readonly text: string;
  /** What the list holds, where YAML has one. */
  readonly items?: readonly string[];
  /** What YAML took it for; absent for flags and the environment, where all is text. */
  readonly yamlType?: 'string' | 'number' | 'boolean' | 'nothing';
  /** `dbpm.yaml:7`, `environment`, `flag` or `default`. */
  readonly where: string;
  /** The setting as that place spells it. */
  readonly key: string;
}

/** The problem of a value that is not what its setting needs. */
export function makeProblem({ where, key }: WrittenValue, found: string, expected: string): Problem {
  return { where, key, found, expected };
}

function showFound(setting: Setting<unknown>, { text, yamlType = 'string' }: WrittenValue): string {
  if (text === '' || yamlType === 'nothing') return 'nothing';
  return yamlType === 'string' ? setting.kind.show(text) : setting.kind.show(text).replaceAll('"', '');
}

/** The value of a setting, or undefined after adding to `problems` what is wrong with it. */
export function parseWritten<Value>(
  setting: Setting<Value>,
  written: WrittenValue,
  checks: ConfigChecks,
  problems: Problem[],
): Value | undefined {
  const { kind } = setting;
  const wrongType = written.yamlType !== undefined && written.yamlType !== kind.yamlType;
  const quoted = kind.yamlType !== 'string' && written.yamlType === 'string';
  const expectedInYaml = quoted ? `${kind.expected}, without quotes` : kind.expected;
  const parse = () =>
    written.items !== undefined && kind.parseItems !== undefined
      ? kind.parseItems(written.items, checks)
      : kind.parse(written.text, checks);
  const parsed = wrongType ? { expected: expectedInYaml } : parse();
  if ('value' in parsed) return parsed.value;
  problems.push(makeProblem(written, showFound(setting, written), parsed.expected));
  return undefined;
}
