import type { IncomingMessage } from 'node:http';
import type { KeyRing } from './model/api-key.ts';
import { Refusal } from './model/refusal.ts';

/** Throws a 401 `Refusal` unless the request carries a valid key; notes the key's use. */
export function authenticate(keys: KeyRing, request: IncomingMessage): void {
  const [, secret] = /^bearer +(\S+)$/i.exec(request.headers.authorization ?? '') ?? [];
  if (secret !== undefined && keys.use(secret, readClientAddress(request)) !== undefined) return;
  throw new Refusal(401, 'send "Authorization: Bearer <API_KEY>" with a key that is valid and not revoked', {
    'www-authenticate': 'Bearer',
  });
}

/** Throws a 403 `Refusal` for a control call that comes from elsewhere, or from a web page of elsewhere. */
export function refuseStrangers(request: IncomingMessage): void {
  if (!isLoopback(request)) {
    throw new Refusal(403, 'the control calls answer only on loopback, to a loopback Host');
  }
  const { origin, host } = request.headers;
  // Browsers name the origin of the page in every request by which a page could change something.
  if (origin !== undefined && origin !== `http://${host}`) {
    throw new Refusal(403, `the control calls do not answer web pages of another origin, such as ${origin}`);
  }
}

/** Behind proxies the whole chain, client first and without spaces, as seen on live services. */
function readClientAddress({ headers, socket }: IncomingMessage): string {
  const chain = String(headers['x-forwarded-for'] ?? '').replace(/\s+/g, '');
  return chain || readPeerAddress(socket);
}

/** Where the connection comes from; an IPv4 address as such on a socket for both versions, too. */
function readPeerAddress({ remoteAddress = '' }: IncomingMessage['socket']): string {
  return remoteAddress.replace(/^::ffff:/, '');
}

/** A Host check besides the address, so that no web page can reach it through a name that resolves to loopback. */
function isLoopback({ headers, socket }: IncomingMessage): boolean {
  const address = readPeerAddress(socket);
  const host = (headers.host ?? '').replace(/:\d+$/, '');
  return (
    (address.startsWith('127.') || address === '::1') && /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/i.test(host)
  );
}
