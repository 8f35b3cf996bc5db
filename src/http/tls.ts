import { constants } from 'node:crypto';
import { SocketAddress } from 'node:net';
import type { SecureContextOptions, TLSSocket, TlsOptions } from 'node:tls';
import type { TlsAccess } from '../resources/web-access.ts';

/** OpenSSL lets suites of TLS 1.3 be no choice: they are on wherever that version is. */
const tls13Suites = ['TLS_AES_128_GCM_SHA256', 'TLS_AES_256_GCM_SHA384', 'TLS_CHACHA20_POLY1305_SHA256'];
/** The first two versions rest on SHA-1, which OpenSSL refuses unless told. */
const oldVersions: readonly string[] = ['TLSv1', 'TLSv1.1'];

/** What new connections are met with; it can be exchanged while the server runs. */
export function secureContextOptions(tls: TlsAccess): SecureContextOptions {
  const { cert, key, clientCa, minVersion, maxVersion, cipherSuites, curves, preferServerCipherSuites } = tls;
  const security = oldVersions.includes(minVersion) ? ['@SECLEVEL=0'] : [];
  const chosen = cipherSuites.length > 0 ? cipherSuites : ['DEFAULT'];
  return {
    cert,
    key,
    ...(clientCa !== undefined && { ca: clientCa }),
    minVersion,
    maxVersion,
    ...(cipherSuites.length + security.length > 0 && {
      ciphers: [...(maxVersion === 'TLSv1.3' ? tls13Suites : []), ...chosen, ...security].join(':'),
    }),
    ...(curves.length > 0 && { ecdhCurve: curves.join(':') }),
    honorCipherOrder: preferServerCipherSuites,
    // A session that is taken up again would bring the client's certificate from before a change of the rules.
    ...(tls.clientAuth !== 'NoClientCert' && { secureOptions: constants.SSL_OP_NO_TICKET }),
  };
}

/** The options of a server with TLS. */
export function tlsServerOptions(tls: TlsAccess): TlsOptions {
  return {
    ...secureContextOptions(tls),
    requestCert: tls.clientAuth !== 'NoClientCert',
    rejectUnauthorized: tls.clientAuth === 'RequireAndVerifyClientCert',
    ALPNProtocols: ['http/1.1'],
  };
}

/** Whether a client may stay after its handshake, by the certificate it showed. */
export function isAllowedClient(
  socket: Pick<TLSSocket, 'getPeerX509Certificate' | 'authorized'>,
  { clientAuth, clientAllowedSans }: TlsAccess,
): boolean {
  if (clientAuth === 'NoClientCert') return true;
  const certificate = socket.getPeerX509Certificate();
  const mustHave = clientAuth === 'RequireAnyClientCert' || clientAuth === 'RequireAndVerifyClientCert';
  if (certificate === undefined) return !mustHave && clientAllowedSans === undefined;
  const mustVerify = clientAuth === 'VerifyClientCertIfGiven' || clientAuth === 'RequireAndVerifyClientCert';
  if (mustVerify && !socket.authorized) return false;
  if (clientAllowedSans === undefined) return true;
  const allowed = new Set(clientAllowedSans.map(canonical));
  return readSans(certificate.subjectAltName ?? '').some(san => allowed.has(san));
}

const sanPattern = /(?:^|, )(?<kind>DNS|URI|email|IP Address):(?<value>"(?:[^"\\]|\\.)*"|[^,]*)/g;

/** The names in a certificate, from the text that Node makes of them: names that could be mistaken are in quotes. */
export function readSans(subjectAltName: string): string[] {
  return [...subjectAltName.matchAll(sanPattern)].map(({ groups }) => {
    const value = groups?.value ?? '';
    const san: string = value.startsWith('"') ? JSON.parse(value) : value;
    return groups?.kind === 'IP Address' ? canonical(san) : san;
  });
}

/** An address of IPv6 can be written in many ways. */
function canonical(san: string): string {
  return san.includes(':') ? (SocketAddress.parse(`[${san}]`)?.address ?? san) : san;
}
