import { copyFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { HistoryFolder } from '../../support/history-folder.ts';
import { markShard } from '../../support/marked-shard.ts';
import { openConsole } from '../../support/open-console.ts';
import { apiKeysReading, day, projectsReading, startAt, wireKey } from '../../support/reading-builder.ts';

const hostile = `<script>alert(1)</script>"'&\u202egnp.\u0007${'x'.repeat(10_000)}`;
const now = startAt + 100 * day;
const date = (at: number) => new Date(at).toISOString();

const folder = new HistoryFolder();
let shown: Awaited<ReturnType<typeof openConsole>>;

beforeAll(async () => {
  const history = folder.open();
  history.commitOne(projectsReading(startAt, []));
  const used = { last_used_at: date(now - day), last_used_from_addr: '192.0.2.7' };
  const keys = (address: string) => [
    wireKey(1, { name: 'ci', created_at: date(startAt), ...used, last_used_from_addr: address }),
    wireKey(2, { name: hostile, created_at: date(startAt), last_used_at: null, last_used_from_addr: '' }),
    wireKey(3, { name: 'young', created_at: date(now - day), last_used_at: null, last_used_from_addr: '' }),
  ];
  history.commitOne(
    apiKeysReading(now - 2 * 3_600_000, [...keys('192.0.2.7'), wireKey(4, { name: 'revoked' })]),
  );
  history.commitOne(apiKeysReading(now - 3_600_000, keys('192.0.2.7')));
  folder.close(history);
  shown = await openConsole({ file: folder.file, now });
});
afterAll(() => {
  shown.close();
  folder[Symbol.dispose]();
});

test('keys say which is in use, stale, young and gone, as the report does', async () => {
  const { keys } = await shown.json('/keys?sort=name&order=asc');
  expect(
    keys.map(({ key_id, stale, gone_at }: Record<string, unknown>) => [key_id, stale, gone_at !== null]),
  ).toEqual([
    ['2', true, false],
    ['1', false, false],
    ['4', expect.any(Boolean), true],
    ['3', false, false],
  ]);
  const report = await shown.report('keys', {});
  const staleAt = report.columns.findIndex(({ key }) => key === 'stale');
  const idAt = report.columns.findIndex(({ key }) => key === 'key_id');
  for (const row of report.rows.filter(each => each[idAt] !== '4')) {
    const key = keys.find(({ key_id }: { key_id: string }) => key_id === row[idAt]);
    expect(key.stale).toBe(row[staleAt]);
  }
});

test('a key that is looked for leads to its row', async () => {
  const { results } = await shown.json('/search?q=young');
  const [path, anchor] = results.at(-1).href.split('#');
  expect(results.at(-1)).toMatchObject({ kind: 'key', name: 'young' });
  expect((await shown.get(path)).text).toContain(`<b id="${anchor}">young</b>`);
});

test('the report of keys as a file has addresses for readers who may see people, and for them alone', async () => {
  const addresses = async (showsPersonal: boolean) => {
    const { text } = await shown.get('/api/v1/reports/keys?format=json', { showsPersonal });
    const { rows }: { readonly rows: readonly Readonly<Record<string, string | null>>[] } = JSON.parse(text);
    return rows.map(({ key_id, last_used_from_addr: address }) => `${key_id} ${address}`).toSorted();
  };
  expect((await addresses(true))[0]).toBe('1 192.0.2.7');
  expect(await addresses(false)).toEqual(['1 null', '2 null', '3 null', '4 null']);
});

test('a filter shows one kind alone', async () => {
  const ids = async (query: string) =>
    (await shown.json(`/keys?${query}`)).keys.map(({ key_id }: { key_id: string }) => key_id);
  expect(await ids('show=gone')).toEqual(['4']);
  expect(await ids('show=stale')).toEqual(['2']);
  expect(await ids('show=never_used&sort=idle')).toEqual(['2', '3']);
  const { status, text } = await shown.get('/api/v1/keys?account=other');
  expect([status, JSON.parse(text).detail]).toEqual([400, 'There is no account "other".']);
});

test.each(['idle', 'name', 'last_used', 'changes'])(
  'the parts of the list by %s are the whole, each key once',
  async sort => {
    const whole = await shown.json(`/keys?sort=${sort}`);
    const parts: string[] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const part = await shown.json(`/keys?sort=${sort}&limit=1&cursor=${cursor}`);
      expect(part.count).toBe(whole.count);
      parts.push(...part.keys.map(({ key_id }: { key_id: string }) => key_id));
      cursor = part.next_cursor;
    }
    expect(parts).toEqual(whole.keys.map(({ key_id }: { key_id: string }) => key_id));
    expect((await shown.get(`/keys?sort=${sort}&limit=1`)).text).toContain('rel="next"');
  },
);

test('addresses are told to those alone who may read them', async () => {
  expect((await shown.get('/keys')).text).not.toContain('192.0.2.7');
  expect((await shown.get('/api/v1/keys')).text).not.toContain('192.0.2.7');
  expect((await shown.get('/keys', { showsPersonal: true })).text).toContain('192.0.2.7');
});

test('a hostile name is text, on one line and cut', async () => {
  const { text } = await shown.get('/keys');
  expect(text).not.toContain('<script>alert');
  expect(text).toContain('&lt;script>alert(1)');
  for (const control of ['\u202e', '\u0007']) expect(text).not.toContain(control);
  expect(text.length).toBeLessThan(20_000);
});

test('keys of all kinds are in one table, and what is the case is said once of each', async () => {
  using other = new HistoryFolder();
  const history = other.open();
  history.commitOne(projectsReading(startAt, []));
  const read = now - 60_000;
  const made = date(startAt);
  history.commitOne(
    apiKeysReading(read, [
      wireKey(1, {
        name: 'own',
        created_at: made,
        last_used_at: date(read),
        last_used_from_addr: '192.0.2.7',
      }),
      wireKey(2, { name: 'spare', created_at: made, last_used_at: null, last_used_from_addr: '' }),
    ]),
  );
  other.close(history);
  const console = await openConsole({ file: other.file, now });
  onTestFinished(console.close);
  const { text } = await console.get('/keys');
  expect(text).toContain('<h1>1 key is safe to revoke</h1>');
  expect(text.match(/<table/g)).toHaveLength(1);
  const headings = [...text.matchAll(/<h2>([^<]*)<\/h2>/g)].map(([, heading]) => heading);
  expect(headings).toEqual(['Safe to revoke', 'In use', 'How to revoke', 'What is not known']);
  expect(text.match(/Never used/g)).toHaveLength(1);
  expect(text.match(/this exporter’s own key/g)).toHaveLength(1);
  expect(text).toContain('own</b> <code>1</code> <span class="tag">this exporter’s own key</span>');
  expect(text.match(/<summary>How to revoke<\/summary>/g)).toHaveLength(1);
  expect(text).toContain('send the request that <b>How to revoke</b> opens in its row');
});

/** The ids of keys, as a list of them is sorted. */
async function sortIds(keys: readonly ReturnType<typeof wireKey>[], gone: readonly string[], query: string) {
  using other = new HistoryFolder();
  const history = other.open();
  history.commitOne(projectsReading(startAt, []));
  history.commitOne(apiKeysReading(now - 50 * day, keys));
  const left = keys.filter(({ id }) => !gone.includes(String(id)));
  history.commitOne(apiKeysReading(now - 49 * day, left));
  other.close(history);
  const console = await openConsole({ file: other.file, now });
  const answer = await console.json(`/keys?${query}`);
  console.close();
  return answer.keys.map(({ key_id }: { key_id: string }) => key_id);
}

test('keys are sorted by what their columns show', async () => {
  const used = (id: number, days: number) =>
    wireKey(id, { created_at: date(startAt), last_used_at: date(now - days * day) });
  const keys = [
    used(1, 60),
    // It was gone a day after it was last seen, so that it was unused for no longer than that.
    used(2, 70),
    wireKey(3, { created_at: null, last_used_at: null }),
  ];
  expect(await sortIds(keys, ['2'], 'sort=idle')).toEqual(['1', '2', '3']);
  expect(await sortIds(keys, ['2'], 'sort=idle&order=asc')).toEqual(['2', '1', '3']);
  expect(await sortIds(keys, [], 'sort=last_used')).toEqual(['1', '2', '3']);
  const named = [
    ...[wireKey(1, { name: 'deploy' }), wireKey(2, { name: 'CI' }), wireKey(3, { name: 'Zebra' })],
    ...[wireKey(4, { name: null })],
  ];
  expect(await sortIds(named, [], 'sort=name&order=asc')).toEqual(['4', '2', '1', '3']);
});

test('another shard than the first shows none of the keys it began with, and says which one reads them', async () => {
  using other = new HistoryFolder();
  copyFileSync(folder.file, other.file);
  markShard(other.file, { index: 1, count: 3 });
  const console = await openConsole({ file: other.file, now, yaml: 'shard: 1/3\n' });
  onTestFinished(console.close);
  expect(await console.json('/keys')).toMatchObject({ count: 0, keys: [], read_by_shard: '0/3' });
  expect((await console.get('/keys')).text).toContain('Shard 0/3 reads the API keys: see its console.');
  expect(await shown.json('/keys')).toMatchObject({ count: 4, read_by_shard: null });
});
