import type { Reason } from '../../resources/reason.ts';
import { ApiError } from './api-error.ts';

interface RefusedAnswer {
  readonly route: string;
  readonly status: number;
  /** The service's own sentence about it, fit for a log. */
  readonly detail: string | undefined;
  /** The organisation that lists are asked for; undefined where none is set. */
  readonly org_id: string | undefined;
  readonly retryAt: number | undefined;
}

/** The error for an answer whose status is not 2xx. */
export function statusError({ route, status, detail, org_id, retryAt }: RefusedAnswer): ApiError {
  const reason = statusReason(status);
  const isAboutOrganisation = reason === 'bad_request' && /\borg_id\b/.test(detail ?? '');
  const advice = isAboutOrganisation ? organisationAdvice(org_id) : statusAdvice(status, reason, route);
  const said = detail === undefined ? '' : ` (the service says: ${detail})`;
  const message = `${status} from GET ${route}: ${advice}${said}`;
  return new ApiError(reason, route, message, { status, retryAt, isAboutOrganisation, advice });
}

/** A key of a person in an organisation is refused like this; a key of an organisation is not (later versions of the service). */
function organisationAdvice(org_id: string | undefined): string {
  return org_id === undefined
    ? 'this key is one of a person, so the service must be told the organisation; set org_id of the account, or DBPM_ORG_ID, to its id'
    : 'the service does not take the org_id of the account; set it to the id of an organisation that the key may read';
}

/** The error for a request that is not sent, because an earlier answer asked to wait until `retryAt`. */
export function pauseError(reason: Reason, route: string, retryAt: number, status?: number): ApiError {
  const until = new Date(retryAt).toISOString();
  const advice = `the service asked to wait until ${until}; it is asked again then`;
  return new ApiError(reason, route, `GET ${route} was not sent: ${advice}`, { status, retryAt, advice });
}

function statusReason(status: number): Reason {
  if (status >= 500) return 'unavailable';
  switch (status) {
    case 400:
    case 406:
      return 'bad_request';
    case 401:
      return 'unauthorized';
    case 403:
      return 'forbidden';
    case 404:
      return 'not_found';
    case 423:
      return 'locked';
    case 429:
      return 'rate_limited';
    default:
      return 'malformed';
  }
}

function statusAdvice(status: number, reason: Reason, route: string): string {
  if (status >= 300 && status < 400) {
    return 'the service answers with a redirect; set base_url to the address the service really has';
  }
  // The meter refuses a time before its own history like this (later versions of the service).
  if (status === 406) {
    return 'the service does not answer for what was asked, such as a time that is too long ago; compare its clock with the one of this host';
  }
  switch (reason) {
    case 'unauthorized':
      return route.includes('{')
        ? 'the API key may not read this project; if the lists are answered 401 too, it is missing, mistyped or revoked'
        : 'the API key is missing, mistyped or revoked; create another one at the service and write it where api_key_file points: it is used with the next request';
    case 'forbidden':
      return 'the API key may not read this; use a key of an account that may';
    case 'not_found':
      return route.includes('{')
        ? 'there is no such object, most likely because it has just been deleted'
        : 'there is nothing at this address; check base_url, which ends in the version segment, such as /api/v2/';
    case 'locked':
      return 'operations are running on this project; it is read again later';
    case 'rate_limited':
      return 'the account is asked too often; lower requests_per_minute if this stays';
    case 'unavailable':
      return 'the service or a gateway before it has trouble; it is asked again later';
    default:
      return 'the service does not accept this request; check that base_url is that of an API of version 2';
  }
}
