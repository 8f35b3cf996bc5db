import type { ApiFault } from './api-fault.ts';
import { altering, changing, type Item, routes } from './misbehavior.ts';

const dayMs = 86_400_000;
const yearMs = 365 * dayMs;
const toCome = '2099-01-01T00:00:00Z';

/** Answers everything as it is, with another date. */
function dating(fault: string, date: () => string, more: Partial<ApiFault> = {}): ApiFault {
  return {
    fault,
    group: 'value',
    inflict: ({ gateway }) =>
      gateway.misbehave(changing(answer => ({ ...answer, headers: { ...answer.headers, date: date() } }))),
    fails: [],
    ...more,
  };
}

const unbelieved = (off: string) => `the service's clock is ${off}, and nothing speaks for it`;

/** Lists items of a kind so. */
function valuing(
  fault: string,
  collector: keyof typeof routes,
  change: (items: readonly Item[]) => readonly unknown[],
  more: Partial<ApiFault> = {},
): ApiFault {
  return {
    fault,
    group: 'value',
    inflict: ({ gateway }) =>
      gateway.misbehave(
        altering(routes[collector], document => {
          if (Array.isArray(document)) return change(document);
          const items = (document as Readonly<Record<string, readonly Item[]>>)[collector];
          return items === undefined ? document : { ...document, [collector]: change(items) };
        }),
      ),
    fails: [],
    ...more,
  };
}

const all = (fields: Item) => (items: readonly Item[]) => items.map(item => ({ ...item, ...fields }));
const later = 'that is before its creation or still to come';

/** Documents of the right form whose values, or the date they come with, cannot be true. */
export const valueFaults: readonly ApiFault[] = [
  dating('the Date of all answers is a year ahead', () => new Date(Date.now() + yearMs).toUTCString(), {
    log: unbelieved('365d ahead'),
  }),
  dating('the Date of all answers is a year back', () => new Date(Date.now() - yearMs).toUTCString(), {
    log: unbelieved('365d behind'),
  }),
  dating('the Date of all answers is no date', () => 'the day before yesterday'),
  dating('the Date of all answers is that of 1970', () => new Date(0).toUTCString(), {
    log: unbelieved('N days behind'),
  }),
  valuing('every project has used 9e12 compute seconds', 'projects', all({ cpu_used_sec: 9e12 }), {
    holds: ['cpu_used_sec'],
    log: 'cpu_used_sec of "ID" is 9000000000000: it cannot have grown that much since it was last read',
  }),
  valuing('every project has used less than nothing', 'projects', all({ cpu_used_sec: -1_000_000 }), {
    holds: ['cpu_used_sec'],
    log: 'cpu_used_sec of "ID" is -1000000: it cannot be below 0',
  }),
  {
    fault: 'every project has used 1e400 compute seconds',
    group: 'value',
    inflict: ({ gateway }) =>
      gateway.misbehave(
        changing(answer => ({
          ...answer,
          body: answer.body.replaceAll(/"cpu_used_sec":\s*[\d.]+/g, '"cpu_used_sec":1e400'),
        })),
      ),
    alerts: ['DbpmFieldsLost'],
    fails: [],
    log: 'GET /projects/{project_id} does not tell compute_time_seconds: what the project uses is not known while the list of projects does not tell cpu_used_sec',
  },
  {
    fault: 'every project has used NaN compute seconds',
    group: 'value',
    inflict: ({ gateway }) =>
      gateway.misbehave(
        changing(answer => ({
          ...answer,
          body: answer.body.replaceAll(/"cpu_used_sec":\s*[\d.]+/g, '"cpu_used_sec":NaN'),
        })),
      ),
    fails: ['projects'],
    reason: 'malformed',
    log: '200 from GET /projects is not JSON (content type: application/json; charset=utf-8): check that base_url is that of the API and not of a web page',
  },
  valuing(
    'projects were created and changed in 2099',
    'projects',
    all({ created_at: toCome, updated_at: toCome }),
  ),
  valuing(
    'endpoints were created, changed and last active in 2099',
    'endpoints',
    all({ created_at: toCome, updated_at: toCome, last_active: toCome }),
    {
      holds: ['created_at', 'updated_at', 'last_active'],
      log: `created_at of "ID" is 2099-01-01T00:00:00.000Z: ${later}`,
    },
  ),
  valuing(
    'keys were created and last used in 2099',
    'api_keys',
    all({ created_at: toCome, last_used_at: toCome }),
    {
      holds: ['created_at', 'last_used_at'],
      log: `created_at of "ID" is 2099-01-01T00:00:00.000Z: ${later}`,
    },
  ),
  valuing(
    'sizes and limits are negative, huge or texts',
    'endpoints',
    items =>
      items.map((item, index) => ({
        ...item,
        autoscaling_limit_min_cu: -1,
        autoscaling_limit_max_cu: 1e300,
        suspend_timeout_seconds: index % 2 === 0 ? -(2 ** 60) : 'never',
      })),
    { alerts: ['DbpmFieldsLost'] },
  ),
  valuing('endpoints, and where they are, are listed twice and differ', 'endpoints', items => [
    ...items,
    ...items.map(item => ({ ...item, current_state: 'stopped' })),
  ]),
  valuing('operations are listed twice and differ', 'operations', items => [
    ...items,
    ...items.map(item => ({ ...item, status: 'failed', failures_count: 7 })),
  ]),
  valuing('keys are listed twice', 'api_keys', items => [...items, ...items]),
  valuing(
    'failures are counted in negative, half and huge numbers',
    'operations',
    items => items.map((item, index) => ({ ...item, failures_count: [-1, 0.5, 1e300][index % 3] })),
    { alerts: ['DbpmFieldsLost'] },
  ),
];
