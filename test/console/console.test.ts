import { writeFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { describeApi } from '../../src/console/api/open-api.ts';
import { assetPaths } from '../../src/console/asset.ts';
import { Console } from '../../src/console/console.ts';
import { downloads } from '../../src/console/page/report/report-download.ts';
import type { ReportCache } from '../../src/console/report-cache/report-cache.ts';
import { pages } from '../../src/console/site.ts';
import { HistoryFolder } from '../support/history-folder.ts';
import { openConsole } from '../support/open-console.ts';
import { projectsReading, startAt, wireProject } from '../support/reading-builder.ts';

const folder = new HistoryFolder();
let shown: Awaited<ReturnType<typeof openConsole>>;

beforeAll(async () => {
  const history = folder.open();
  history.commitOne(projectsReading(startAt, [wireProject('p1')]));
  folder.close(history);
  shown = await openConsole({ file: folder.file, now: startAt });
});
afterAll(() => {
  shown.close();
  folder[Symbol.dispose]();
});

const listed = pages.filter(({ isListed }) => isListed);

test.each(listed.map(({ path }) => path))(
  '%s allows nothing from elsewhere and nothing inline',
  async path => {
    const { status, headers, text } = await shown.get(path);
    expect(status).toBe(200);
    expect(headers['Content-Security-Policy']).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; font-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    );
    expect(headers['Set-Cookie']).toBeUndefined();
    expect(text).not.toMatch(/ style=|<style|javascript:| on[a-z]+="|https?:\/\/(?!www\.w3\.org)/);
    expect(text).not.toMatch(/<script(?!( type="module")? src="\/assets\/)/);
  },
);

test.each(listed.map(({ path }) => path))('%s says what is wrong in an address', async path => {
  const page = await shown.get(`${path}?nonsense=1`);
  expect(page.status).toBe(400);
  expect(page.text).toContain('nonsense');
  const problem = await shown.get(`/api/v1${path === '/' ? '/overview' : path}?nonsense=1`);
  expect(problem.headers['Content-Type']).toBe('application/problem+json; charset=utf-8');
  expect(JSON.parse(problem.text)).toMatchObject({
    status: 400,
    detail: expect.stringContaining('nonsense'),
  });
});

test('every word of a page leads to what it means', async () => {
  const { status, text: explained } = await shown.get('/words');
  expect(status).toBe(200);
  for (const { path } of listed) {
    const { text } = await shown.get(path);
    for (const [, id] of text.matchAll(/href="\/words#(\w+)"/g))
      expect(explained).toContain(`<dt id="${id}">`);
    expect(text).toContain('<a href="/words">Words</a>');
  }
  const { sections } = JSON.parse((await shown.get('/api/v1/words')).text);
  expect(sections[0].words[1]).toMatchObject({ id: 'compute_hour', word: 'compute hour' });
});

test('a word that is not one of those possible is named with them', async () => {
  const { status, text } = await shown.get('/api/v1/keys?sort=colour');
  expect(status).toBe(400);
  expect(JSON.parse(text)).toEqual({
    ...{ type: 'about:blank', title: 'This address cannot be read', status: 400 },
    detail: 'In it "sort" is "colour".',
    possible: ['sort: one of verdict, idle, name, account, created, last_used, changes'],
  });
  expect((await shown.get('/keys?sort=idle&sort=name')).text).toContain('more than once');
});

describe('where nothing is', () => {
  test('the style of a page has its font and none of the comments of its file', async () => {
    const { text } = await shown.get(assetPaths.style);
    expect(text).toContain(`url("${assetPaths.font}")`);
    expect(text).not.toContain('/*');
  });

  test('an address that people guess from a title leads to its page', async () => {
    for (const [guessed, place] of [
      ['/savings', '/findings'],
      ['/reports', '/report/usage'],
    ] as const) {
      const { status, headers } = await shown.get(guessed);
      expect([status, headers.Location]).toEqual([308, place]);
    }
  });

  test.each(['/nowhere', '/keys/', '/Keys', '/%ff', '/assets/0/console.js', '/..', `/${'x'.repeat(5000)}`])(
    '%s is a page with a way back',
    async path => {
      const { status, text } = await shown.get(path);
      expect(status).toBe(404);
      expect(text).toContain('<a href="/">Back to the overview</a>');
      expect(text).toContain('<a href="/keys">API keys</a></li>');
      expect(text.length).toBeLessThan(8000);
    },
  );

  test.each(['/api/v1/nowhere', '/api/v1', '/api/v2/projects', '/api'])(
    '%s answers with a problem',
    async path => {
      const { status, text } = await shown.get(path);
      expect(status).toBe(404);
      expect(JSON.parse(text).possible).toContain('/api/v1/keys');
    },
  );
});

test('an answer that is known already is not sent again', async () => {
  const first = await shown.get('/api/v1/keys');
  const again = await shown.get('/api/v1/keys', { ifNoneMatch: `"x", ${first.headers.ETag}` });
  expect([again.status, again.body.byteLength]).toEqual([304, 0]);
  expect((await shown.get('/api/v1/keys', { ifNoneMatch: '"x"' })).status).toBe(200);
});

test('a browser gets it compressed, and the files of a page for good', async () => {
  const page = await shown.get('/', { acceptsGzip: true });
  expect(page.headers['Content-Encoding']).toBe('gzip');
  expect(gunzipSync(page.body).toString()).toContain('<!doctype html>');
  for (const [, path = ''] of page.text.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)) {
    const asset = await shown.get(path);
    expect(asset.status).toBe(200);
    expect(asset.headers['Cache-Control']).toContain('immutable');
  }
});

test('the document of the API has every answer with its parameters', async () => {
  const { openapi, paths } = (await describeApi(pages)) as {
    openapi: string;
    paths: Record<string, unknown>;
  };
  expect(openapi).toBe('3.1.0');
  expect(Object.keys(paths)).toEqual([...pages, ...downloads].map(({ apiPath }) => `/api/v1${apiPath}`));
  expect(paths['/api/v1/keys']).toMatchObject({
    get: {
      parameters: expect.arrayContaining([
        expect.objectContaining({ name: 'sort', in: 'query', required: false }),
      ]),
      responses: { 200: { content: { 'application/json': { schema: { type: 'object' } } } } },
    },
  });
});

test('without a history every page says what there is, and figures say when to ask again', async () => {
  const empty = await openConsole({ file: `${folder.path}/none.sqlite`, now: startAt });
  const withFigures = ['/findings'];
  for (const { path, apiPath } of listed) {
    expect((await empty.get(path)).status, path).toBe(200);
    const { status, headers, text } = await empty.get(`/api/v1${apiPath}`);
    if (!withFigures.includes(apiPath)) expect(status, apiPath).toBe(200);
    else {
      expect([status, headers['Retry-After']], apiPath).toEqual([503, '4']);
      expect(JSON.parse(text)).toMatchObject({
        detail: 'Account main is being read for the first time.',
        rests_on: { is_whole: false, accounts: [{ account: 'main', state: 'unread' }] },
      });
    }
  }
});

test('of a history that cannot be read every page of it says so', async () => {
  const file = `${folder.path}/broken.sqlite`;
  const broken = await openConsole({ file, now: startAt, isWorkedOut: false });
  writeFileSync(file, 'no history'.repeat(1000));
  for (const path of ['/findings', '/api/v1/findings', '/projects', '/operations']) {
    const { status, text } = await broken.get(path, { mayFail: true });
    expect([status, text.includes('The history cannot be read')], path).toEqual([503, true]);
  }
});

test('a page that a damaged history cannot give says above it what to do', async () => {
  const file = `${folder.path}/damaged.sqlite`;
  const live = { isDamaged: true };
  const broken = await openConsole({ file, now: startAt, isWorkedOut: false, live });
  writeFileSync(file, 'no history'.repeat(1000));
  const { status, text } = await broken.get('/projects', { mayFail: true });
  expect([status, /A part of the history is damaged[\s\S]*Start the daemon again/.test(text)]).toEqual([
    503,
    true,
  ]);
});

test('what takes long says so in time, and goes on being worked out', async () => {
  const ask = vi.fn(() => new Promise<never>(() => {}));
  const reports = { ask, askTogether: ask } as unknown as ReportCache;
  const slow = new Console({ sources: { ...shown.sources, reports }, version: '1.2.3', patienceMs: 10 });
  const live = { now: startAt, startedAt: startAt, overviews: [], accounts: [], problems: [], stalled: [] };
  const question = { acceptsGzip: false, showsPersonal: false };
  const answered = (path: string) =>
    slow.answer(
      { ...question, path, search: path.startsWith('/reports') ? '?format=csv' : '' },
      { ...live, historySizeBytes: 0 },
    );
  for (const path of ['/api/v1/findings', '/reports/findings']) {
    const answer = await answered(path);
    expect([answer.status, answer.headers['Retry-After']], path).toEqual([503, '10']);
    expect(Buffer.from(answer.body).toString(), path).toContain('Still being worked out');
  }
  expect(ask).toHaveBeenCalled();
  // A page is no error: it has its name and its place, and renews itself with and without scripts.
  const { status, body } = await answered('/findings');
  const page = Buffer.from(body).toString();
  expect([status, /<h1>(.*?)<\/h1>/.exec(page)?.[1]]).toEqual([202, 'Savings']);
  expect(page).toContain('<noscript><meta http-equiv="refresh" content="4"/></noscript>');
  expect(page).toContain('data-renew-after="4"');
  expect(page).toContain('This is being worked out.');
});
