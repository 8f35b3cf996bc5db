import type { RuleConfig } from '../../src/config/config.ts';

/** Where the console is reached on its own host; rules and boards that were made without a configuration link there. */
export const localConsole = 'http://localhost:10062';

/** The console that links lead to, without a slash at its end. */
export function consoleUrlOf({ consoleUrl }: Pick<RuleConfig, 'consoleUrl'>): string {
  return consoleUrl === '' ? localConsole : consoleUrl;
}

/** The page for what a board shows, by the uid of the board. */
export const consolePages = {
  'dbpm-fleet': '/projects',
  'dbpm-project': '/projects',
  'dbpm-endpoints': '/projects',
  'dbpm-operations': '/operations',
  'dbpm-usage-cost': '/cost',
  'dbpm-api-keys': '/keys',
  'dbpm-exporter': '/health',
} as const;
