import type { Config } from '../config/config.ts';
import type { WebAccess } from '../resources/web-access.ts';

const loopbackHost = /^(?:127(?:\.\d{1,3}){3}|\[?::1\]?|localhost)$/i;

/**
 * Whether a reader may see personal data: one who had to log in or to show a certificate, or one on this very host where
 * nobody else can reach it. The name the reader asked for counts, too: a foreign page may have its name lead here.
 *
 * @param host the `Host` header.
 */
export function mayReadPersonalData(
  { users, tls }: WebAccess,
  { listenAddress, systemdSocket }: Pick<Config['web'], 'listenAddress' | 'systemdSocket'>,
  host: string | undefined,
): boolean {
  const isAsked = tls?.clientAuth === 'RequireAndVerifyClientCert';
  if (users.size > 0 || isAsked) return true;
  const isHere = (name: string | undefined) => name !== undefined && loopbackHost.test(name);
  const asked = host?.replace(/:\d+$/, '');
  return !systemdSocket && listenAddress.every(each => isHere(each.host)) && isHere(asked);
}
