import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import { asksForLogin, type WebAccess } from '../resources/web-access.ts';
import type { ListenPlace } from './server-options.ts';

/** The names of a server that its own configuration gives. */
export interface OwnNames {
  readonly listen: readonly ListenPlace[];
  /** Where people reach it, such as `https://dbpm.example.com`; empty where nobody said so. */
  readonly externalUrl?: string | undefined;
}

const foreignOrigin =
  'A page of another address asks for this. Where this one is reached by an address of its own, name that with web.external_url.';
const foreignHost =
  'This is not served by that name. Ask by an address in numbers, or name the address with web.external_url.';

/**
 * Why a request is refused that a web page of somebody else has a browser make. A browser on this network reaches what
 * its page cannot, and it sends passwords along that it knows.
 *
 * - What changes something is refused where `Origin` is another page.
 * - Where nobody is asked for a login, `Host` must be an address, a name without a dot, such as `localhost`, or a name that
 *   the configuration gives. Whoever owns another name can lead it here, and then read all answers (DNS rebinding). Nobody
 *   owns an address or a name without a dot.
 *
 * @returns a line for whoever asks; undefined where there is nothing against it.
 */
export function findForeign(
  { method, headers: { origin, host } }: Pick<IncomingMessage, 'method' | 'headers'>,
  access: WebAccess,
  { listen, externalUrl }: OwnNames,
): string | undefined {
  const external = URL.parse(externalUrl ?? '');
  const isReading = method === 'GET' || method === 'HEAD';
  if (!isReading && origin !== undefined && origin !== external?.origin) {
    if (URL.parse(origin)?.host !== host?.toLowerCase()) return foreignOrigin;
  }
  // A browser always sends it.
  if (asksForLogin(access) || host === undefined) return undefined;
  const name = host.toLowerCase().replace(/:\d*$/, '');
  const given = listen.map(place => ('host' in place ? place.host?.toLowerCase() : undefined));
  return isSafeName(name) || name === external?.hostname || given.includes(name) ? undefined : foreignHost;
}

function isSafeName(name: string): boolean {
  return isIP(name.replace(/^\[(.*)\]$/, '$1')) !== 0 || !name.includes('.') || name.endsWith('.localhost');
}
