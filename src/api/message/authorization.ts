import { ApiError } from './api-error.ts';

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
    throw new ApiError('unauthorized', route, `GET ${route} was not sent: ${problem}`);
  }
  return `Bearer ${apiKey}`;
}
