import { SocketAddress } from 'node:net';
import type { TLSSocket } from 'node:tls';
import type { TlsAccess } from '../resources/web-access.ts';

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
