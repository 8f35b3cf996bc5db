import { worldKey } from '../simulated-world.ts';
import type { ApiFault } from './api-fault.ts';
import { answering, only, routes } from './misbehavior.ts';

const html = '<!doctype html><h1>It is not here</h1>';

function everything(
  status: number,
  reason: NonNullable<ApiFault['reason']>,
  advice: string,
  {
    fault = `the service answers ${status}`,
    body,
    headers,
    ...more
  }: Partial<ApiFault> & {
    readonly body?: string;
    readonly headers?: Readonly<Record<string, string>>;
  } = {},
): ApiFault {
  return {
    fault,
    group: 'status',
    inflict: ({ gateway }) => gateway.misbehave(answering(status, body, headers)),
    reason,
    log: `${status} from GET /projects: ${advice}${body === undefined ? said : ''}`,
    ...more,
  };
}

const said = ' (the service says: it is so, request_id r-1)';
const strange =
  'the service does not accept this request; check that base_url is that of an API of version 2';
const barred = 'the API key may not read this; use a key of an account that may';
const rejected =
  'the API key is missing, mistyped or revoked; create another one at the service and write it where api_key_file points: it is used with the next request';
const locked = 'operations are running on this project; it is read again later';
const often = 'the account is asked too often; lower requests_per_minute if this stays';
const trouble = 'the service or a gateway before it has trouble; it is asked again later';
/** Where a project is not found by its endpoints, its operations are not asked for. */
const allButOperations = ['projects', 'endpoints', 'api_keys'] as const;

/** Refuses with a message, a code and an id that have the key. */
function sayingKey(way: string, text: string, shown: string): ApiFault {
  const body = JSON.stringify({ request_id: text, code: text, message: `no such key: ${text}` });
  return {
    fault: `the service says the key back, ${way}`,
    group: 'status',
    inflict: ({ gateway }) => gateway.misbehave(answering(403, body)),
    reason: 'forbidden',
    log: `403 from GET /projects: ${barred} (the service says: no such key: ${shown}, code ${shown}, request_id ${shown})`,
  };
}

/** What a service, or a gateway before it, answers in place of a document. */
export const statusFaults: readonly ApiFault[] = [
  everything(400, 'bad_request', strange),
  everything(401, 'unauthorized', rejected),
  everything(403, 'forbidden', barred),
  everything(
    404,
    'not_found',
    'there is nothing at this address; check base_url, which ends in the version segment, such as /api/v2/',
    { fault: 'the service answers 404 to everything', fails: allButOperations },
  ),
  everything(409, 'malformed', strange),
  everything(423, 'locked', locked),
  everything(429, 'rate_limited', often, { fault: 'the service answers 429 without Retry-After' }),
  everything(500, 'unavailable', trouble, {
    fault: 'the service answers 500 with a page of HTML',
    body: html,
  }),
  everything(502, 'unavailable', trouble, { fault: 'a gateway answers 502', body: html }),
  everything(503, 'unavailable', trouble, { fault: 'the service answers 503 without Retry-After' }),
  everything(524, 'unavailable', trouble, { fault: 'a gateway answers 524', body: html }),
  everything(429, 'rate_limited', often, {
    fault: 'the service answers 429 with Retry-After',
    headers: { 'retry-after': '3' },
  }),
  everything(503, 'unavailable', trouble, {
    fault: 'the service answers 503 with Retry-After',
    headers: { 'retry-after': '3.5' },
  }),
  everything(423, 'locked', locked, {
    fault: 'the service answers 423 with Retry-After',
    headers: { 'retry-after': '3' },
  }),
  everything(500, 'unavailable', trouble, {
    fault: 'the service answers 500 with a Retry-After of a day',
    headers: { 'retry-after': '86400' },
  }),
  everything(401, 'unauthorized', rejected, {
    fault: 'the service answers 401 with a Retry-After of a day',
    headers: { 'retry-after': '86400' },
  }),
  everything(
    301,
    'malformed',
    'the service answers with a redirect; set base_url to the address the service really has',
    {
      fault: 'the service answers with a redirect to elsewhere',
      headers: { location: 'http://127.0.0.1:9/elsewhere' },
    },
  ),
  sayingKey('in capitals', worldKey.toUpperCase(), '[redacted]'),
  sayingKey('in base64', Buffer.from(`Bearer ${worldKey}`).toString('base64'), 'QmVhcmVyIG[redacted]'),
  sayingKey(
    'in two parts',
    `${worldKey.slice(0, 10)} and ${worldKey.slice(10)}`,
    '[redacted] and [redacted]',
  ),
  {
    fault: 'the key may not list API keys (403)',
    group: 'status',
    inflict: ({ gateway }) => gateway.misbehave(only(routes.api_keys, answering(403))),
    fails: ['api_keys'],
    reason: 'forbidden',
    log: `403 from GET /api_keys: the API key may not read this; use a key of an account that may${said}`,
  },
  {
    fault: 'the body of a 401 drips',
    group: 'status',
    inflict: ({ gateway }) =>
      gateway.misbehave((_incoming, response) => {
        response.writeHead(401, { 'content-length': '900' }).write('{');
        const drip = setInterval(() => response.write(' '), 1000);
        response.once('close', () => clearInterval(drip));
      }),
    reason: 'unauthorized',
    log: `401 from GET /projects: ${rejected}`,
  },
];
