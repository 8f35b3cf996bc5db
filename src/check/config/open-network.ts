import { renderListenAddress } from '../../config/listen-address.ts';
import type { LoadedConfig } from '../../config/load-config.ts';
import type { Problem } from '../../config/problem.ts';
import { asksForLogin, openAccess } from '../../resources/web-access.ts';

const loopback = /^(?:localhost|127\..*|::1)$/;

/** Warns where others on the network can read the metrics without a login, or see its password on the way. */
export function warnOfOpenNetwork({ config, effective }: Omit<LoadedConfig, 'warnings'>): Problem[] {
  const { web, webFile } = config;
  const isTrusted = web.systemdSocket || web.listenAddress.every(({ host }) => host && loopback.test(host));
  const { access = openAccess } = webFile ?? {};
  const lacks = [...(access.tls ? [] : ['TLS']), ...(asksForLogin(access) ? [] : ['a login'])];
  if (isTrusted || lacks.length === 0) return [];
  const key = 'web.listen_address';
  const addresses = web.listenAddress.map(renderListenAddress).join(', ');
  return [
    {
      where: effective.find(setting => setting.key === key)?.from ?? 'configuration',
      key,
      found: `${addresses}, which the network can reach, without ${lacks.join(' and without ')}`,
      expected:
        'write tls_server_config and basic_auth_users into a file given with --web.config.file, or listen on 127.0.0.1 behind a proxy that has them',
    },
  ];
}
