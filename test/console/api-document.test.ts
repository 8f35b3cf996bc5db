import { writeFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import Database from 'better-sqlite3';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { reportKinds } from '../../src/report/kind.ts';
import { deleteProject, liveProjects } from '../../src/simulator/model/account.ts';
import { LivedHistory } from '../support/lived-history.ts';
import { openConsole } from '../support/open-console.ts';

/** What the document says, as far as it is asked here. */
interface ApiDocument {
  readonly paths: Readonly<Record<string, { readonly get: ApiOperation }>>;
}
interface ApiOperation {
  readonly parameters: readonly {
    readonly name: string;
    readonly in: string;
    readonly required: boolean;
    readonly schema: { readonly enum?: readonly string[]; readonly default?: string };
  }[];
  readonly responses: Readonly<
    Record<number, { readonly content?: Readonly<Record<string, unknown>>; readonly headers?: object }>
  >;
}

const yaml = `
pricing:
  currency: EUR
  billing_period: {hours: 96, from: 2026-09-01}
  exchange_rates: [{currency: USD, from: 2026-01-01, rate: 0.92}]
  plans:
    - name: scale
      match: {projects: ["*a*"]}
      currency: USD
      base_fee: 5
      minimum: 19
      prices: [{from: 2026-01-01, tiers: [{up_to: 3, per_compute_hour: 0.2}, {per_compute_hour: 0.16}]}]
    - name: rest
      match: {projects: ["*e*"]}
      included: {compute_hours: 3, per: account}
      prices: [{from: 2026-01-01, per_compute_hour: 0.1}]
groups: {team: {web: {projects: ["*s*"]}}}
budgets:
  - {name: all, account: main, amount: "10", per: billing}
  - {name: web, group: team/web, compute_hours: "5", per: week}
`;
const hour = 3600;
const lived = new LivedHistory({
  now: Date.UTC(2026, 9, 3) / 1000,
  projects: 6,
  historyDays: 6,
  showcase: true,
});
let shown: Awaited<ReturnType<typeof openConsole>>;
let api: ApiDocument;
/** Addresses of what the history has, by the path of the document. */
let examples: Readonly<Record<string, readonly string[]>>;

/** Words that go with another parameter alone: by themselves they are refused. */
const refused = new Set(['/operations?status=all', '/reports/cost?format=json&focus_version=1.2']);

/** By the document alone: its dialect, its formats, and nothing that it does not know. */
const validator = new Ajv2020({ strict: true, strictTypes: false, allErrors: true });
formats.default(validator);

beforeAll(async () => {
  lived.watch(30 * hour, { listEverySeconds: hour, projectsEvery: 1 });
  const [first, second] = liveProjects(lived.account);
  if (first === undefined || second === undefined) throw new Error('the fleet is empty');
  deleteProject(first);
  lived.watch(hour, { listEverySeconds: hour, projectsEvery: 1 });
  shown = await openConsole({ file: lived.folder.file, now: lived.now, yaml });
  api = await shown.json('/openapi.json');
  validator.addVocabulary(Object.keys(api));
  validator.addSchema(closed(api), 'api');
  const of = (project: { readonly id: string }) => `/projects/main/${project.id}`;
  examples = {
    '/api/v1/overview': ['/overview'],
    '/api/v1/projects': [
      '/projects',
      '/projects?gone=all&limit=3&group=team/web',
      '/projects?account=main&q=a',
    ],
    '/api/v1/projects/{account}/{project_id}': [
      of(first),
      of(second),
      `${of(second)}?from=2026-10-01T00:00:00Z&until=2026-10-03T06:00:00Z`,
      `${of(second)}?suspend_after=60&min_cu=0.25`,
    ],
    '/api/v1/cost': [
      '/cost',
      '/cost?period=2026-10',
      '/cost?period=last-billing&by=group&grouping=team',
      '/cost?account=main&by=line',
    ],
    '/api/v1/cost/invoice': ['/cost/invoice', '/cost/invoice?period=billing&account=main'],
    '/api/v1/cost/why': ['/cost/why', '/cost/why?period=billing&against=last-billing&account=main'],
    '/api/v1/showback': ['/showback', '/showback?period=2026-10&group=team/web'],
    '/api/v1/prices': ['/prices', '/prices?per_compute_hour=0.16&base_fee=19', '/prices?book=launch-2026-07'],
    ...Object.fromEntries(reportKinds.map(kind => [`/api/v1/report/${kind}`, [`/report/${kind}`]])),
    '/api/v1/findings': [
      '/findings',
      '/findings?kind=idle_tail&group=team/web',
      '/findings?project=a&limit=1',
    ],
    '/api/v1/operations': [
      '/operations',
      `/operations?status=all&project=${second.id}&limit=2`,
      '/operations?range=7d&action=start_compute&account=main',
    ],
    '/api/v1/operations/{account}/{project_id}/{operation_id}': [
      ...operationsOf(lived.folder.file, second.id).map(id => `/operations/main/${second.id}/${id}`),
    ],
    '/api/v1/keys': ['/keys', '/keys?account=main'],
    '/api/v1/health': ['/health'],
    '/api/v1/words': ['/words'],
    '/api/v1/help': ['/help'],
    '/api/v1/help/{document}': ['/help/alerts', '/help/prices'],
    '/api/v1/help/{document}/{section}': ['/help/alerts/DbpmKeyRejected'],
    '/api/v1/search': ['/search?q=a'],
    '/api/v1/reports/usage': ['/reports/usage?format=json', '/reports/usage?format=csv&period=2026-10'],
    '/api/v1/reports/cost': [
      '/reports/cost?format=json',
      '/reports/cost?format=focus&focus_version=1.2',
      '/reports/cost?format=json&by=line&step=day&period=2026-10',
      '/reports/cost?format=json&top=2',
      `/reports/cost?format=json&project=main/${second.id}`,
    ],
    '/api/v1/reports/months': [
      '/reports/months?format=json&period=2026-10..2026-11',
      '/reports/months?format=csv&by=project&period=2026-Q4',
    ],
    '/api/v1/reports/budgets': [
      '/reports/budgets?format=json',
      '/reports/budgets?format=json&period=2026-10',
    ],
    '/api/v1/reports/forecast': [
      '/reports/forecast?format=json',
      '/reports/forecast?format=json&by=project',
      `/reports/forecast?format=json&project=main/${second.id}`,
    ],
    '/api/v1/reports/keys': ['/reports/keys?format=json', '/reports/keys?format=csv'],
    '/api/v1/reports/operations': ['/reports/operations?format=json'],
    '/api/v1/reports/findings': [
      '/reports/findings?format=json',
      '/reports/findings?format=csv&done=yes',
      `/reports/findings?format=json&project=main/${second.id}&suspend_after=60&min_cu=0.25`,
    ],
    '/api/v1/reports/why': ['/reports/why?format=json', '/reports/why?format=csv&period=billing'],
    '/api/v1/reports/showback': [
      '/reports/showback?format=json&period=2026-10',
      '/reports/showback?format=csv&group=team/web',
      '/reports/showback?format=html',
    ],
  };
});
afterAll(() => {
  shown.close();
  lived[Symbol.dispose]();
});

/** The ids of an operation of each action and status that a project had. */
function operationsOf(file: string, project_id: string): readonly string[] {
  const database = new Database(file, { readonly: true });
  const ids = database
    .prepare<[string], string>(
      'SELECT min(operation_id) FROM operation JOIN project USING (project_ref) WHERE project_id = ? GROUP BY action, status',
    )
    .pluck()
    .all(project_id);
  database.close();
  return ids;
}

/** The same schemas, where every object has the properties that are written and no other. */
function closed(schema: unknown): object {
  const close = (part: unknown): unknown => {
    if (Array.isArray(part)) return part.map(close);
    if (typeof part !== 'object' || part === null) return part;
    const all = Object.fromEntries(Object.entries(part).map(([key, value]) => [key, close(value)]));
    return 'properties' in all && !('additionalProperties' in all)
      ? { ...all, additionalProperties: false }
      : all;
  };
  return close(schema) as object;
}

/** What is wrong in an answer, by the schema that the document has for it. */
function faultsOf(
  path: string,
  { status, headers, text }: Awaited<ReturnType<typeof shown.get>>,
): readonly unknown[] {
  const { content, headers: documented = {} } = api.paths[path]?.get.responses[status] ?? {};
  const type = headers['Content-Type'] ?? '';
  const named = Object.keys(content ?? {}).find(each => type === each || type.startsWith(`${each};`));
  if (named === undefined) return [`${status} with ${type} is not in the document`];
  for (const name of Object.keys(documented)) if (headers[name] === undefined) return [`it has no ${name}`];
  const pointer = ['paths', path, 'get', 'responses', status, 'content', named, 'schema']
    .map(part => encodeURIComponent(String(part).replaceAll('~', '~0').replaceAll('/', '~1')))
    .join('/');
  const validate = validator.getSchema(`api#/${pointer}`);
  if (validate === undefined) return [`the document has no schema at ${pointer}`];
  const isText = status === 200 && type.startsWith('text/');
  return validate(isText ? text : JSON.parse(text)) ? [] : (validate.errors ?? []);
}

test('every path of the document has an answer that is as it says, and so has every word that a parameter can be', async () => {
  expect(Object.keys(examples)).toEqual(Object.keys(api.paths));
  const faults: Record<string, unknown> = {};
  for (const [path, { get }] of Object.entries(api.paths)) {
    const [usual = '', ...others] = examples[path] ?? [];
    const words = get.parameters
      .filter(parameter => parameter.in === 'query' && !usual.includes(`${parameter.name}=`))
      .flatMap(({ name, schema }) =>
        (schema.enum ?? []).map(word => `${usual}${usual.includes('?') ? '&' : '?'}${name}=${word}`),
      );
    for (const address of [usual, ...others, ...words]) {
      // Who may see people makes a difference by owner alone.
      const readers = address === usual || address.endsWith('by=owner') ? [false, true] : [true];
      for (const showsPersonal of readers) {
        const answer = await shown.get(`/api/v1${address}`, { showsPersonal });
        const found = faultsOf(path, answer);
        const isRefused = refused.has(address) || (!showsPersonal && address.endsWith('by=owner'));
        const isMeant = answer.status === (isRefused ? 400 : 200);
        if (!isMeant || found.length > 0) faults[address] = [answer.status, found];
      }
    }
  }
  expect(faults).toEqual({});
}, 120_000);

test('what is wrong or not there is a problem as the document says', async () => {
  for (const path of Object.keys(api.paths)) {
    const [usual = ''] = examples[path] ?? [];
    const wrong = await shown.get(`/api/v1${usual}${usual.includes('?') ? '&' : '?'}nonsense=1`);
    expect([path, wrong.status, faultsOf(path, wrong)]).toEqual([path, 400, []]);
    expect(JSON.parse(wrong.text)).toMatchObject({
      status: 400,
      detail: expect.stringContaining('nonsense'),
    });
  }
  const path = '/api/v1/projects/{account}/{project_id}';
  const gone = await shown.get('/api/v1/projects/main/no-such-project');
  expect([gone.status, faultsOf(path, gone)]).toEqual([404, []]);
  const nowhere = await shown.get('/api/v1/nowhere');
  expect([nowhere.status, faultsOf(path, nowhere)]).toEqual([404, []]);
});

test('a parameter is needed where the document says so, and nowhere else', async () => {
  for (const [path, { get }] of Object.entries(api.paths)) {
    const needed = get.parameters.filter(each => each.required && each.in === 'query');
    const [usual = ''] = examples[path] ?? [];
    const { status } = await shown.get(`/api/v1${usual.split('?')[0]}`);
    expect([path, status]).toEqual([path, needed.length > 0 ? 400 : 200]);
  }
});

test('a history that cannot be read is a problem as the document says', async () => {
  const file = `${lived.folder.path}/broken.sqlite`;
  const broken = await openConsole({ file, now: lived.now, isWorkedOut: false });
  writeFileSync(file, 'no history'.repeat(1000));
  const answer = await broken.get('/api/v1/operations', { mayFail: true });
  expect([answer.status, faultsOf('/api/v1/operations', answer)]).toEqual([503, []]);
  broken.close();
});
