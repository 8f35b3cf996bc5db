import { isLoopback } from '../../api/message/base-url.ts';
import type { LoadedConfig } from '../../config/load-config.ts';
import type { Problem } from '../../config/problem.ts';

const variable = 'NODE_TLS_REJECT_UNAUTHORIZED';

/** The problem of an environment that has Node believe every certificate: whoever answers would get the API key. */
export function findUnverifiedTls(
  { config }: Pick<LoadedConfig, 'config'>,
  env: Readonly<Record<string, string | undefined>>,
): Problem[] {
  const isElsewhere = config.accounts.some(({ base_url }) => !isLoopback(base_url.hostname));
  if (env[variable] !== '0' || !isElsewhere) return [];
  const found = '"0", with which anyone who answers in the place of the service gets the API key';
  const expected = 'take it away, and name the authority of the certificate with accounts[].ca_file';
  return [{ where: 'environment', key: variable, found, expected }];
}
