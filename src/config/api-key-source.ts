import { dirname, isAbsolute, join } from 'node:path';
import { accountSettings } from './account-setting.ts';
import type { Problem } from './problem.ts';
import { describeReadFailure, type SourceFile } from './source-file.ts';
import { isUsableKey } from './value-kind.ts';
import { makeProblem, type WrittenValue } from './written-value.ts';

/** What reading a key needs, and where it says what is wrong. */
export interface KeyReading {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly readFile: (path: string) => SourceFile;
  /** The YAML file, whose folder a relative path in it starts from. */
  readonly configFile: string | undefined;
  readonly problems: Problem[];
  readonly warnings: Problem[];
}

/** The key of an account from the one place that names it; undefined after adding the problem. */
export function readApiKey(
  field: 'api_key' | 'api_key_file' | 'api_key_env',
  written: WrittenValue,
  reading: KeyReading,
): string | undefined {
  if (field === 'api_key_file') return readKeyFile(written, reading);
  if (field === 'api_key_env') return readKeyVariable(written, reading);
  return written.text;
}

function readKeyVariable(written: WrittenValue, { env, problems }: KeyReading): string | undefined {
  const { kind } = accountSettings.api_key_env;
  const text = env[written.text] ?? '';
  const found = `${kind.show(written.text)}, which ${text === '' ? 'is not set' : 'holds something that cannot be a key (not shown)'}`;
  if (isUsableKey(text)) return text;
  problems.push(
    makeProblem(written, found, 'set that variable to the key, or write the name of one that is set'),
  );
  return undefined;
}

function readKeyFile(written: WrittenValue, reading: KeyReading): string | undefined {
  const { kind } = accountSettings.api_key_file;
  const { configFile, problems, warnings } = reading;
  const fromFolder = written.yamlType !== undefined && configFile !== undefined && !isAbsolute(written.text);
  const shown = kind.show(written.text);
  try {
    const { text, readableByAll } = reading.readFile(
      fromFolder ? join(dirname(configFile), written.text) : written.text,
    );
    const key = text.replace(/\r?\n$/, '');
    if (isUsableKey(key)) {
      if (readableByAll) {
        warnings.push(
          makeProblem(written, `${shown}, which every user may read`, 'take that right away (chmod 600)'),
        );
      }
      return key;
    }
    const content =
      key.trim() === '' ? 'is empty' : 'holds more than a key, such as a space or a second line';
    problems.push(makeProblem(written, `${shown}, which ${content}`, 'put the key and nothing else into it'));
  } catch (error) {
    problems.push(makeProblem(written, `${shown}, ${describeReadFailure(error)}`, kind.expected));
  }
  return undefined;
}
