import { describe, expect } from 'vitest';
import { isWithinBounds, readAnswer } from '../../src/api/message/answer.ts';
import { ApiError } from '../../src/api/message/api-error.ts';
import { parseListPage } from '../../src/api/message/list-page.ts';
import { parseHttpDate, parseRetryAfter } from '../../src/api/pacing/retry-timing.ts';
import { acceptsGzip, negotiate } from '../../src/http/content/negotiation.ts';
import { readBasicLogin } from '../../src/http/login.ts';
import { apiKeyList } from '../../src/resources/api-key.ts';
import { endpointList } from '../../src/resources/endpoint.ts';
import type { ListDefinition } from '../../src/resources/list-definition.ts';
import { decodeOperationAnswer, operationList } from '../../src/resources/operation.ts';
import { projectList } from '../../src/resources/project.ts';
import { reasons } from '../../src/resources/reason.ts';
import { fuzz } from './fuzzing.ts';
import { mutateText, mutateValue } from './mutation.ts';

const at = '2026-11-21T10:00:00Z';
const apiKey = 'canary-7f1c0a52';

const project = {
  ...{ id: 'icy-hill-22098381', name: 'shop', platform_id: 'aws', region_id: 'aws-eu-1', locked: false },
  ...{ provisioner: 'k8s-pod', pg_version: 16, proxy_host: 'eu.example.com', cpu_used_sec: 5400 },
  ...{ branch_logical_size_limit: 3072, created_at: at, updated_at: at },
};
const endpoint = {
  ...{
    id: 'ep-late-sun',
    project_id: project.id,
    branch_id: 'br-1',
    region_id: 'aws-eu-1',
    type: 'read_write',
  },
  ...{ host: 'ep.example.com', proxy_host: 'eu.example.com', pooler_mode: 'transaction', disabled: false },
  ...{ current_state: 'active', pending_state: 'idle', pooler_enabled: true, passwordless_access: false },
  ...{ autoscaling_limit_min_cu: 0.25, autoscaling_limit_max_cu: 4, last_active: at, created_at: at },
};
const operation = {
  ...{
    id: 'op-1',
    project_id: project.id,
    branch_id: 'br-1',
    endpoint_id: endpoint.id,
    action: 'start_compute',
  },
  ...{ status: 'finished', failures_count: 1, created_at: at, updated_at: at, total_duration_ms: 120 },
};
const key = {
  id: 17,
  name: 'ci',
  created_at: at,
  last_used_at: null,
  last_used_from_addr: '49.43.218.132,34.2.0.1',
};

const lists: readonly (readonly [ListDefinition<object>, unknown, unknown])[] = [
  [
    projectList as ListDefinition<object>,
    project,
    { projects: [project], unavailable_project_ids: ['p'], pagination: { cursor: 'c' } },
  ],
  [endpointList as ListDefinition<object>, endpoint, { endpoints: [endpoint, endpoint] }],
  [
    operationList as ListDefinition<object>,
    operation,
    { operations: [operation], pagination: { cursor: at } },
  ],
  [apiKeyList as ListDefinition<object>, key, [key, key]],
];

/** What decoders give: texts that UTF-8 can carry, of a length, finite numbers, flags, and names of fields of ours. */
function expectStorable(decoded: object): void {
  for (const [name, value] of Object.entries(decoded)) {
    if (name === 'lostFields') {
      if (value.some((field: unknown) => !/^[a-z_]+$/.test(String(field)))) expect.fail(`lost ${value}`);
    } else if (typeof value === 'string') {
      if (!value.isWellFormed() || value.length > 16_384) expect.fail(`text ${value.length}`);
    } else if (typeof value === 'number') {
      if (!Number.isFinite(value)) expect.fail(`number ${value}`);
    } else if (typeof value !== 'boolean') expect.fail(`a ${typeof value}`);
  }
}

/** Calls it, and gives what it threw if that is an error of its own; any other goes on. */
function ownError(run: () => unknown): ApiError | undefined {
  try {
    run();
  } catch (error) {
    if (error instanceof ApiError) return error;
    throw error;
  }
  return undefined;
}

function expectTold({ reason, message }: ApiError): void {
  expect(reasons).toContain(reason);
  if (/[\n\r]/.test(message) || message.includes(apiKey)) expect.fail(message);
}

describe('answers of the service', () => {
  fuzz('give items that can be stored, or none', { quick: 3000, long: 600_000 }, random => {
    const [list, item] = random.pick(lists);
    const decoded = list.decode(mutateValue(item, random));
    if (decoded === undefined) return;
    expectStorable(decoded);
    const id = list.identify(decoded);
    if (typeof id !== 'string' || id === '') expect.fail('no identity');
  });

  fuzz('are lists, or malformed', { quick: 1500, long: 200_000 }, random => {
    const [list, , answer] = random.pick(lists);
    const body = mutateValue(answer, random);
    const error = ownError(() => {
      const { items, cursor, unavailableIds } = parseListPage(body, list);
      for (const item of items) {
        const decoded = list.decode(item);
        if (decoded !== undefined) expectStorable(decoded);
      }
      if (cursor !== undefined && (typeof cursor !== 'string' || cursor === '')) expect.fail('cursor');
      for (const id of unavailableIds) if (typeof id !== 'string') expect.fail(`id ${typeof id}`);
    });
    if (error !== undefined) expectTold(error);
    const single = decodeOperationAnswer({ operation: mutateValue(operation, random) });
    if (single !== undefined) expectStorable(single);
  });

  fuzz('are documents, or errors without a key', { quick: 1000, long: 150_000 }, random => {
    const [, , answer] = random.pick(lists);
    const written = random.pick([
      JSON.stringify(answer),
      `{"code":"x","message":"no ${apiKey}","request_id":"r"}`,
    ]);
    const text = mutateText(written, random, [apiKey, '"message":', '[{', '}]']);
    const words = ['Sun', ' 06 Nov 1994 ', 'GMT', '08:49:37', '120', '3.5'];
    const date = mutateText('Sun, 06 Nov 1994 08:49:37 GMT', random, words);
    const retryAfter = mutateText(random.pick(['120', date]), random, words);
    const read = readAnswer(
      {
        status: random.pick([200, 204, 301, 401, 404, 423, 429, 500, 503]),
        date,
        retryAfter,
        contentType: text,
        text,
      },
      { route: '/projects', apiKey, now: Date.parse(at), longestPauseMs: 3_600_000 },
    );
    if (read instanceof ApiError) {
      expectTold(read);
      if (Number.isNaN(read.retryAt)) expect.fail('retryAt');
    } else if (read.servedAt !== undefined && !Number.isFinite(read.servedAt)) expect.fail('servedAt');
  });

  fuzz('are weighed as they are', { quick: 500, long: 40_000 }, random => {
    const text = mutateText(JSON.stringify(random.pick(lists)[2]), random, ['[', ']', '{"', ',']);
    const bounds = { values: 1 + random.below(60), depth: 1 + random.below(5) };
    let parsed: unknown;
    try {
      parsed = JSON.parse(text);
    } catch {
      return;
    }
    const { values, depth } = weigh(parsed);
    if (depth > bounds.depth && isWithinBounds(text, bounds)) expect.fail(`${text} is ${depth} deep`);
    if (values > 2 * bounds.values + 2 && isWithinBounds(text, bounds)) expect.fail(`${text} has ${values}`);
  });
});

/** Objects and lists, and what is in them; a name given twice counts once. */
function weigh(value: unknown): { readonly values: number; readonly depth: number } {
  if (typeof value !== 'object' || value === null) return { values: 0, depth: 0 };
  const inner = Object.values(value).map(weigh);
  return {
    values: inner.reduce((sum, each) => sum + each.values + 1, 1),
    depth: 1 + inner.reduce((deepest, each) => Math.max(deepest, each.depth), 0),
  };
}

describe('headers', () => {
  const accepts = [
    'application/openmetrics-text;version=1.0.0;escaping=allow-utf-8;q=0.6,text/plain;version=0.0.4;q=0.5,*/*;q=0.1',
    'text/html,application/xhtml+xml,*/*;q=0.8',
  ];
  const words = [
    'application/openmetrics-text',
    'text/plain',
    'version=',
    'q=',
    'gzip',
    'identity',
    '*',
    ';',
    '"1"',
  ];

  fuzz('of any kind ask for one of the two formats', { quick: 2000, long: 300_000 }, random => {
    const accept = mutateText(random.pick(accepts), random, words);
    const { format, contentType } = negotiate(accept);
    if (
      !/^(text\/plain; version=0\.0\.4|application\/openmetrics-text; version=(1\.0\.0|0\.0\.1)); charset=utf-8$/.test(
        contentType,
      )
    ) {
      expect.fail(contentType);
    }
    if ((format === 'openmetrics') !== contentType.startsWith('application/')) expect.fail(format);
    const encoding = mutateText('gzip;q=1.0, identity; q=0.5, *;q=0', random, words);
    if (typeof acceptsGzip(encoding) !== 'boolean') expect.fail('gzip');
  });

  fuzz('with instants give finite ones, or none', { quick: 1000, long: 100_000 }, random => {
    const dates = [
      'Sun, 06 Nov 1994 08:49:37 GMT',
      'Sunday, 06-Nov-94 08:49:37 GMT',
      'Sun Nov  6 08:49:37 1994',
      '3.5',
    ];
    const text = mutateText(random.pick(dates), random, ['Mon', '1e9', ' ', 'UTC', '+0100']);
    const date = parseHttpDate(text);
    if (date !== undefined && !Number.isFinite(date)) expect.fail(text);
    const waitMs = parseRetryAfter(text, Date.parse(at), 3_600_000);
    if (waitMs !== undefined && !(waitMs >= 0 && waitMs <= 3_600_000)) expect.fail(`${text}: ${waitMs}`);
  });

  fuzz('with a login give a user and a password, or none', { quick: 500, long: 50_000 }, random => {
    const text = mutateText('Basic YWxpY2U6b3BlbiBzZXNhbWU=', random, ['Basic ', '=', 'YTpi', ':']);
    const login = readBasicLogin(text);
    if (login !== undefined && typeof login.password !== 'string') expect.fail(text);
  });
});
