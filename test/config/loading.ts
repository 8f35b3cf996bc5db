import type { RuleConfig } from '../../src/config/config.ts';
import { type Loaded, type LoadRequest, loadConfig, loadRuleConfig } from '../../src/config/load-config.ts';
import { renderProblem } from '../../src/config/problem.ts';

const checks: LoadRequest['checks'] = {
  schedule: text => (text.split(' ').length === 6 ? undefined : 'write six fields'),
  historyFile: () => undefined,
  hostName: 'laptop',
  baseUrl: text => (text.startsWith('https://') ? undefined : 'which must start with https://'),
  familyNames: ['dbpm_project_info', 'dbpm_endpoint_info', 'dbpm_endpoint_state'],
  alerts: [
    {
      name: 'DbpmTooSlow',
      severity: 'warning',
      for: '5m',
      keepFiringFor: '10m',
      thresholds: {
        age: { kind: 'duration', default: '1h', help: 'older is too slow' },
        share: { kind: 'number', default: '0.5', help: 'more is too much' },
      },
    },
    { name: 'DbpmTooLoud', severity: 'info', for: '1m', thresholds: {} },
  ],
};

interface Given {
  readonly flags?: LoadRequest['flags'];
  readonly env?: LoadRequest['env'];
  /** Texts of files by path; an error as a text is thrown on reading. */
  readonly files?: Readonly<Record<string, string | Error>>;
  readonly readableByAll?: boolean;
  readonly historyFile?: LoadRequest['checks']['historyFile'];
  readonly hostName?: string;
}

function makeRequest({
  flags = {},
  env = {},
  files = {},
  readableByAll = false,
  ...given
}: Given): LoadRequest {
  const readFile = (path: string) => {
    const text = files[path] ?? Object.assign(new Error('no such file'), { code: 'ENOENT' });
    if (text instanceof Error) throw text;
    return { text, readableByAll };
  };
  return { flags, env, readFile, checks: { ...checks, ...given }, now: Date.parse('2026-10-15T12:00:00Z') };
}

/** Loads a configuration from memory. */
export function load(given: Given): Loaded {
  return loadConfig(makeRequest(given));
}

/** Loads the settings of the rules alone from memory; throws what is wrong with them. */
export function loadRules(given: Given): RuleConfig {
  const loaded = loadRuleConfig(makeRequest(given));
  if ('problems' in loaded) throw new Error(loaded.problems.map(renderProblem).join('\n'));
  return loaded.rules;
}

/** As `load`, for what must be valid. */
export function loadValid(given: Given): Extract<Loaded, { readonly config: unknown }> {
  const loaded = load(given);
  if ('problems' in loaded) throw new Error(loaded.problems.map(renderProblem).join('\n'));
  return loaded;
}

/** As `load`, for what must be invalid: its problems as they are printed. */
export function loadInvalid(given: Given): string[] {
  const loaded = load(given);
  return 'problems' in loaded ? loaded.problems.map(renderProblem) : [];
}

/** The smallest environment that makes a valid configuration. */
export const accountEnv = { DBPM_BASE_URL: 'https://api.example.com/api/v2/', DBPM_API_KEY: 'canary-key' };
