import { expect, test } from 'vitest';
import { listFaults, mostWithin, type ServedApi } from './request-judge.ts';

const headers = { authorization: 'Bearer key', accept: 'application/json' };

function judge(api: ServedApi, target: string, more: { method?: string; headers?: object } = {}): string[] {
  const { pathname: path, searchParams: query } = new URL(target, 'http://service');
  return listFaults(api, {
    method: more.method ?? 'GET',
    path,
    query,
    headers: { ...headers, ...more.headers },
  });
}

const lastDay = 'granularity=daily&from=2026-03-01T00:00:00Z&to=2026-03-02T00:00:00Z';

test.each([
  ['contract', '/api_keys'],
  ['contract', '/projects?limit=400&cursor=a-b-1'],
  ['contract', '/projects/a/endpoints'],
  ['contract', '/projects/a/operations?limit=1000&cursor=2026-03-02T10:00:00.123456Z'],
  ['later', '/projects?limit=400&org_id=org-a&search=x&timeout=1000'],
  ['later', '/projects/a'],
  ['later', '/projects/a/branches'],
  ['later', `/consumption_history/v2/projects?${lastDay}&limit=100&metrics=a,b&project_ids=a&project_ids=b`],
  ['later', `/consumption_history/projects?${lastDay}&org_id=org-a`],
] as const)('the %s knows %s', (api, target) => {
  expect(judge(api, target)).toEqual([]);
});

const many = Array.from({ length: 101 }, (_, index) => index).join(',');

test.each([
  ['contract', '/projects/a', 'there is no such path'],
  ['contract', '/projects//endpoints', 'there is no such path'],
  ['contract', '/projects?org_id=org-a', 'org_id is unknown'],
  ['contract', '/projects?limit=401', 'limit is not one whole number up to 400'],
  ['contract', '/projects?limit=1&limit=2', 'limit is not one whole number up to 400'],
  ['contract', '/projects?cursor=', 'cursor is not one text'],
  ['contract', '/projects/a/operations?limit=1001', 'limit is not one whole number up to 1000'],
  ['contract', '/projects/a/endpoints?limit=10', 'limit is unknown'],
  ['later', '/consumption_history/v2/projects?granularity=daily&from=2026-03-01T00:00:00Z', 'to is missing'],
  [
    'later',
    `/consumption_history/v2/projects?${lastDay}&limit=101`,
    'limit is not one whole number up to 100',
  ],
  [
    'later',
    `/consumption_history/v2/projects?${lastDay}&project_ids=${many}`,
    'project_ids is not a list of up to 100',
  ],
  [
    'later',
    `/consumption_history/v2/projects?${lastDay}&project_ids=a,a`,
    'project_ids is not a list of up to 100',
  ],
  ['later', `/consumption_history/projects?${lastDay}&metrics=a`, 'metrics is unknown'],
  [
    'later',
    `/consumption_history/projects?${lastDay.replace('daily', 'weekly')}`,
    'granularity is not a granularity',
  ],
  ['later', `/consumption_history/projects?${lastDay.replace('T00:00:00Z', '')}`, 'from is not one instant'],
] as const)('the %s does not allow %s', (api, target, fault) => {
  expect(judge(api, target)).toEqual([fault]);
});

test.each([
  [{ method: 'POST' }, 'POST changes what it should read'],
  [{ headers: { authorization: undefined } }, 'it carries no key'],
  [{ headers: { accept: 'text/html' } }, 'it does not accept JSON'],
  [{ headers: { 'content-length': '2' } }, 'it has a body'],
])('a daemon must not send %j', (more, fault) => {
  expect(judge('contract', '/projects', more)).toEqual([fault]);
});

test('the busiest minute is found wherever it begins', () => {
  expect(mostWithin(60, [])).toBe(0);
  expect(mostWithin(60, [0, 59, 60, 61, 119, 120, 300])).toBe(3);
});
