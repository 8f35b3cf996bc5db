import type { RuleConfig } from '../../src/config/config.ts';
import type { Alert } from './alert.ts';

/** Where the console is reached on its own host; rules and boards that were made without a configuration link there. */
export const localConsole = 'http://localhost:10062';

/** The console that links lead to, without a slash at its end. */
export function consoleUrlOf({ consoleUrl }: Pick<RuleConfig, 'consoleUrl'>): string {
  return consoleUrl === '' ? localConsole : consoleUrl;
}

/** The page for what a board shows, by the uid of the board. */
export const consolePages: Readonly<Record<Alert['board'], string>> = {
  'dbpm-fleet': '/projects',
  'dbpm-project': '/projects',
  'dbpm-endpoints': '/projects',
  'dbpm-operations': '/operations',
  'dbpm-usage-cost': '/cost',
  'dbpm-api-keys': '/keys',
  'dbpm-exporter': '/health',
};

const label = (name: string) => `{{ $labels.${name} | urlquery }}`;

/** The page of the console on what an alert is about, as far as the labels go that its example fires with. */
export function consolePathOf({ board, incident, page, examples }: Alert): string {
  const { labels } = examples.fires;
  const project = `/${label('account')}/${label('project_id')}`;
  if ('project_id' in labels) {
    if (incident === undefined) return `/projects${project}`;
    return `/operations${project}/${incident}${'action' in labels ? `?action=${label('action')}` : ''}`;
  }
  const path = page ?? consolePages[board];
  if (path !== '/keys') return path;
  return `${path}?account=${label('account')}${'key_id' in labels ? `#key-${label('key_id')}` : ''}`;
}
