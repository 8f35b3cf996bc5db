import { ApiError } from './api-error.ts';

export interface Target {
  /** Path below the base address with placeholders, for example `/projects/{project_id}/endpoints`. */
  readonly route: string;
  /** Values of the placeholders. */
  readonly params?: Readonly<Record<string, string>>;
}

const longestId = 1000;

/**
 * The path of a request below the base address, every parameter encoded so that no id can reach another resource.
 * Throws an ApiError (malformed) for an id no path can carry: empty, `.`, `..`, not Unicode or
 * longer than a thousand characters.
 */
export function requestPath({ route, params = {} }: Target): string {
  return route.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = params[name];
    if (value === undefined) throw new TypeError(`no parameter ${name} for ${route}`);
    // Percent-encoded dots still count as dot segments (WHATWG URL, "double-dot URL path segment"), so these have no way.
    if (['', '.', '..'].includes(value) || value.length > longestId || !value.isWellFormed()) {
      const problem = `the service gave a ${name} that cannot be part of an address, so this object cannot be read`;
      throw new ApiError('malformed', route, `GET ${route} was not sent: ${problem}`);
    }
    return encodeURIComponent(value);
  });
}

/** The query of a request, encoded and with its question mark; empty when there is none. */
export function requestQuery(query: Readonly<Record<string, string>> = {}): string {
  const encode = (text: string) => encodeURIComponent(text.toWellFormed());
  const pairs = Object.entries(query).map(([name, value]) => `${encode(name)}=${encode(value)}`);
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`;
}

/**
 * The `Authorization` header for a key (the specification, "Authentication").
 * Throws an ApiError (unauthorized) that does not show the key when no header can carry it.
 */
export function authorizationHeader(apiKey: string, route: string): string {
  if (apiKey === '') {
    throw new ApiError('unauthorized', route, `GET ${route} was not sent: the API key is empty`);
  }
  if (!/^[\x21-\x7e]+$/.test(apiKey)) {
    const problem =
      'the API key contains a space, a line break or another character that no key has; copy it again';
    throw new ApiError('unauthorized', route, `GET ${route} was not sent: ${problem}`, { advice: problem });
  }
  return `Bearer ${apiKey}`;
}
