import { getCACertificates } from 'node:tls';
import { type Dispatcher, EnvHttpProxyAgent, Pool } from 'undici';
import { isLoopback } from '../message/base-url.ts';
import type { Timeouts } from './exchange.ts';

/** A proxy that requests go through. */
export interface ProxyChoice {
  /** With its user name and password where it wants them. */
  readonly url: string;
  /** Hosts that are reached without it, as in NO_PROXY. */
  readonly except: string;
}

export interface DispatcherOptions {
  readonly connections: number;
  readonly timeouts: Timeouts;
  readonly proxy?: ProxyChoice | undefined;
  /** Certificates of authorities that are trusted besides those of Node, as PEM. */
  readonly ca?: string | undefined;
}

/** Longer than the usual pause between two cycles, so that the next one finds its connections open. */
const keepAliveTimeoutMs = 45_000;

/** The connections to a service: its own, or tunnels of a proxy. */
export function openDispatcher(url: URL, options: DispatcherOptions): Dispatcher {
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
