import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { getCACertificates, TLSSocket } from 'node:tls';
import { type Dispatcher, EnvHttpProxyAgent, Pool } from 'undici';
import { isLoopback } from '../message/base-url.ts';
import type { Timeouts } from './exchange.ts';

export interface ConnectionOptions extends Omit<DispatcherOptions, 'ca'> {
  /** Certificates of authorities that are trusted besides those of Node, as PEM; asked before every request. */
  readonly readCa?: (() => string) | undefined;
}

/** The connections to a service: where other authorities are to be trusted, the next request makes new ones. */
export class Connections {
  readonly #url: URL;
  readonly #options: ConnectionOptions;
  readonly #left = new Set<Dispatcher>();
  #ca: string | undefined;
  #dispatcher: Dispatcher;

  constructor(url: URL, options: ConnectionOptions) {
    this.#url = url;
    this.#options = options;
    this.#ca = options.readCa?.();
    this.#dispatcher = this.#open();
  }

  get dispatcher(): Dispatcher {
    const ca = this.#options.readCa?.();
    if (ca !== this.#ca) {
      this.#leave(this.#dispatcher);
      this.#ca = ca;
      this.#dispatcher = this.#open();
    }
    return this.#dispatcher;
  }

  /** Fails what is under way. */
  async destroy(error: Error): Promise<void> {
    await Promise.all([this.#dispatcher, ...this.#left].map(each => each.destroy(error)));
  }

  #open(): Dispatcher {
    return openDispatcher(this.#url, { ...this.#options, ca: this.#ca });
  }

  /** Requests that are under way come to their end. */
  #leave(dispatcher: Dispatcher): void {
    this.#left.add(dispatcher);
    const forget = () => void this.#left.delete(dispatcher);
    dispatcher.close().then(forget, forget);
  }
}

/** A proxy that requests go through. */
export interface ProxyChoice {
  /** With its user name and password where it wants them. */
  readonly url: string;
  /** Hosts that are reached without it, as in NO_PROXY. */
  readonly except: string;
}

interface DispatcherOptions {
  readonly connections: number;
  readonly timeouts: Timeouts;
  readonly proxy?: ProxyChoice | undefined;
  /** Certificates of authorities that are trusted besides those of Node, as PEM. */
  readonly ca?: string | undefined;
}

/** Longer than the usual pause between two cycles, so that the next one finds its connections open. */
const keepAliveTimeoutMs = 45_000;

/** The connections to a service: its own, or tunnels of a proxy. */
function openDispatcher(url: URL, options: DispatcherOptions): Dispatcher {
  const { connections, timeouts, proxy, ca } = options;
  const tls = {
    ...(ca !== undefined && { ca: [...getCACertificates('default'), ca] }),
    // NODE_TLS_REJECT_UNAUTHORIZED must not have the key given to anyone.
    ...(!isLoopback(url.hostname) && { rejectUnauthorized: true }),
  };
  const usual = {
    allowH2: false,
    connections,
    connectTimeout: timeouts.connectTimeoutMs,
    headersTimeout: timeouts.headersTimeoutMs,
    bodyTimeout: timeouts.bodyTimeoutMs,
    keepAliveTimeout: keepAliveTimeoutMs,
  };
  if (proxy === undefined) return new Pool(url.origin, { ...usual, connect: tls });
  const proxies = { httpProxy: proxy.url, httpsProxy: proxy.url, noProxy: proxy.except };
  return new EnvHttpProxyAgent({ ...usual, ...proxies, connect: tls, requestTls: tls, proxyTls: tls });
}

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
