import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { TLSSocket } from 'node:tls';

/** The message of undici about each connection it made, through a proxy or not. */
const connectedChannel = 'undici:client:connected';

interface Connected {
  readonly socket?: unknown;
  readonly connectParams?: { readonly hostname?: string | null };
}

/**
 * Tells when the certificate of a service ends, with each connection to it over TLS.
 *
 * @param onCertificate told in epoch milliseconds.
 * @returns ends it.
 */
export function watchCertificate(
  { hostname }: URL,
  onCertificate: (endsAt: number) => void,
): { readonly close: () => void } {
  const listener = (message: unknown) => {
    const { socket, connectParams } = message as Connected;
    if (connectParams?.hostname !== hostname || !(socket instanceof TLSSocket)) return;
    const endsAt = Date.parse(socket.getPeerCertificate().valid_to);
    if (Number.isFinite(endsAt)) onCertificate(endsAt);
  };
  subscribe(connectedChannel, listener);
  return { close: () => void unsubscribe(connectedChannel, listener) };
}
