/** The policies for client certificates, by their names in Go. */
export const clientAuthTypes = [
  'NoClientCert',
  'RequestClientCert',
  'RequireAnyClientCert',
  'VerifyClientCertIfGiven',
  'RequireAndVerifyClientCert',
] as const;
type ClientAuthType = (typeof clientAuthTypes)[number];

export const tlsVersions = { TLS10: 'TLSv1', TLS11: 'TLSv1.1', TLS12: 'TLSv1.2', TLS13: 'TLSv1.3' } as const;
type TlsVersion = (typeof tlsVersions)[keyof typeof tlsVersions];

/** TLS of the HTTP server; certificates and keys are PEM. */
export interface TlsAccess {
  readonly cert: string;
  readonly key: string;
  /** The authorities of client certificates; those of the system where absent. */
  readonly clientCa?: string;
  readonly clientAuth: ClientAuthType;
  /** A client certificate must have one of these subject alternate names; any will do where absent. */
  readonly clientAllowedSans?: readonly string[];
  readonly minVersion: TlsVersion;
  readonly maxVersion: TlsVersion;
  /** OpenSSL names, of TLS up to 1.2; empty for the usual ones. */
  readonly cipherSuites: readonly string[];
  readonly preferServerCipherSuites: boolean;
  /** OpenSSL names in order of preference; empty for the usual ones. */
  readonly curves: readonly string[];
}

/** A token bucket: a request takes one of at most `burst` tokens, and one comes back each interval. */
export interface RateLimit {
  readonly burst: number;
  readonly intervalMs: number;
}

/** How clients are let in, by the web configuration file that Prometheus exporters share. */
export interface WebAccess {
  /** Plain HTTP where absent. */
  readonly tls?: TlsAccess;
  /** Headers of every answer. */
  readonly headers: Readonly<Record<string, string>>;
  /** Hashes of bcrypt by user name; without any no login is asked for. */
  readonly users: ReadonlyMap<string, string>;
  readonly rateLimit?: RateLimit;
}

/** Whether everybody is asked who they are: by a login, or by a certificate of an authority. */
export function asksForLogin({ users, tls }: WebAccess): boolean {
  return users.size > 0 || tls?.clientAuth === 'RequireAndVerifyClientCert';
}

/** Plain HTTP for everybody. */
export const openAccess: WebAccess = { headers: {}, users: new Map() };

/** What became of a login: the closed set that is the `outcome` label. */
export const loginOutcomes = [
  'ok',
  // No such user, another password, or no login at all in the header.
  'wrong',
  // 429: it gave way to logins of others that waited to be checked.
  'too_many',
] as const;

export type LoginOutcome = (typeof loginOutcomes)[number];

/** Reasons why somebody was not served to the end: the closed set that is the `reason` label. */
export const turnedAwayReasons = [
  // An idle connection was closed, or a slow one, as there was no room for a new one.
  'connection_replaced',
  // A new connection was closed, as all others were being answered.
  'connection_refused',
  // 503: too many answers with the page were under way.
  'too_many_answers',
  // An answer was cut off that its reader took too long for.
  'too_slow',
] as const;

export type TurnedAwayReason = (typeof turnedAwayReasons)[number];
