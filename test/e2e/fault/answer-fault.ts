import { gzipSync } from 'node:zlib';
import type { ApiFault } from './api-fault.ts';
import { changing } from './misbehavior.ts';

const html = '<!doctype html><form action="/login"></form>';
const bomb = (text: string) => gzipSync(text, { level: 9 });

/** Answers everything with 200 and this body. */
function saying(
  fault: string,
  body: string | Buffer,
  log: string,
  {
    reason = 'malformed',
    headers = {},
  }: {
    readonly reason?: NonNullable<ApiFault['reason']>;
    readonly headers?: Readonly<Record<string, string>>;
  } = {},
): ApiFault {
  return {
    fault,
    group: 'answer',
    inflict: ({ gateway }) =>
      gateway.misbehave((_incoming, response) =>
        response.writeHead(200, { 'content-type': 'application/json', ...headers }).end(body),
      ),
    reason,
    log,
  };
}

const zipped = { 'content-encoding': 'gzip' };

/** Answers that are none. */
export const answerFaults: readonly ApiFault[] = [
  saying(
    'a login page in HTML in place of JSON',
    html,
    '200 from GET /projects is not JSON (content type: text/html): check that base_url is that of the API and not of a web page',
    { headers: { 'content-type': 'text/html' } },
  ),
  saying(
    'an empty body',
    '',
    '200 from GET /projects is not JSON (content type: application/json): check that base_url is that of the API and not of a web page',
  ),
  saying(
    'JSON that ends in the middle',
    '{"projects":[{"id":"half',
    '200 from GET /projects is not JSON (content type: application/json): check that base_url is that of the API and not of a web page',
  ),
  saying(
    'a text in place of an object',
    '"text"',
    'the answer of GET /projects is not an object: check that base_url is that of an API of version 2',
  ),
  saying(
    'an object without the list',
    '{"ok":true}',
    'the answer of GET /projects has no array "projects": check that base_url is that of an API of version 2',
  ),
  saying(
    'an object in place of the list',
    '{"projects":{},"endpoints":{},"operations":{},"api_keys":{}}',
    'the answer of GET /projects has no array "projects": check that base_url is that of an API of version 2',
  ),
  saying(
    'a number',
    '42',
    'the answer of GET /projects is not an object: check that base_url is that of an API of version 2',
  ),
  saying(
    'null',
    'null',
    'the answer of GET /projects is not an object: check that base_url is that of an API of version 2',
  ),
  saying(
    'damaged gzip',
    'no gzip',
    'GET /projects failed: the answer cannot be decompressed; look for a proxy that damages it (Z_DATA_ERROR: incorrect header check)',
    { headers: zipped },
  ),
  saying(
    'a content coding that nobody asked for',
    '{}',
    'GET /projects answers in a content coding that was not asked for; look for a proxy that adds it',
    { headers: { 'content-encoding': 'zstd' } },
  ),
  {
    fault: 'the right answer under a wrong content type',
    group: 'answer',
    inflict: ({ gateway }) =>
      gateway.misbehave(
        changing(answer => ({ ...answer, headers: { ...answer.headers, 'content-type': 'text/plain' } })),
      ),
    fails: [],
  },
  {
    fault: 'answers without a date',
    group: 'answer',
    inflict: ({ gateway }) =>
      gateway.misbehave((_incoming, response, pass) => {
        response.sendDate = false;
        pass(answer => ({ ...answer, headers: { ...answer.headers, date: undefined } }));
      }),
    fails: [],
  },
];

const big = 70 * 1024 * 1024;
const longId = `{"id":"${'i'.repeat(55_000_000)}","name":"long"},`;
const longAction = `{"id":"long","action":"${'a'.repeat(20_000_000)}","status":"running"},`;

/** Answers meant to use up the memory, or what would. */
export const bombFaults: readonly ApiFault[] = [
  saying(
    'a body of 70 MB',
    `"${'x'.repeat(big)}"`,
    'GET /projects answers with more than 67108864 bytes, which are not read',
    { reason: 'too_large' },
  ),
  saying(
    '70 kB of gzip that unfold to 70 MB',
    bomb(`"${'x'.repeat(big)}"`),
    'GET /projects answers with more than 67108864 bytes, which are not read',
    {
      reason: 'too_large',
      headers: zipped,
    },
  ),
  saying(
    'gzip that unfolds to millions of items',
    bomb(`{"projects":[${'{},'.repeat(4_000_000)}{}]}`),
    '200 from GET /projects holds millions of values or hundreds of levels, which are not read',
    {
      reason: 'too_large',
      headers: zipped,
    },
  ),
  saying(
    'a document of a million levels',
    '['.repeat(1_000_000),
    '200 from GET /projects holds millions of values or hundreds of levels, which are not read',
    { reason: 'too_large' },
  ),
  {
    fault: 'a project has an id of 55 MB, and an operation an action of 20 MB',
    group: 'answer',
    inflict: ({ gateway }) =>
      gateway.misbehave(
        changing(answer => ({
          ...answer,
          body: answer.body
            .replace(/^\{"projects":\[(?!\])/, found => found + longId)
            .replace(/^\{"operations":\[(?!\])/, found => found + longAction),
        })),
      ),
    fails: [],
    counts: ['projects'],
    reason: 'malformed',
    log: 'the list of projects is not whole: 1 of its projects could not be read; what is missing keeps its last values until collect.drop_after, and what is new may not be seen',
  },
];
