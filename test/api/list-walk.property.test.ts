import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readList, readPages, type WalkedPage } from '../../src/api/list.ts';
import { listSource, type Thing, thingList } from '../support/list-server.ts';

const options = { priority: 'list' as const, signal: new AbortController().signal };

/**
 * An honest service: it pages newest first by a time that whole groups of items share, clamps `limit`, and may
 * or may not name a cursor on its last page. The cursor is exact, though the items' own times are not.
 */
const honestService = fc.record({
  groups: fc.array(fc.integer({ min: 1, max: 9 }), { maxLength: 12 }),
  clamp: fc.integer({ min: 1, max: 10 }),
  shrink: fc.array(fc.nat(9), { maxLength: 20 }),
  lastCursor: fc.constantFrom('none', 'always', 'no pagination'),
  repeats: fc.boolean(),
});

type HonestService = typeof honestService extends fc.Arbitrary<infer Service> ? Service : never;

function serveHonestly(
  { clamp, shrink, lastCursor, repeats }: HonestService,
  all: readonly { id: string; created_at: string }[],
) {
  return (query: Readonly<Record<string, string>>, count: number) => {
    const from = query.cursor === undefined ? 0 : Number(query.cursor.split('.')[1]);
    const size = Math.max(1, Math.min(Number(query.limit), clamp) - (shrink[count - 1] ?? 0));
    const items = all.slice(from, from + size);
    const isLast = from + size >= all.length;
    const cursor = `2026-01-01T00:00:00.${String(from + items.length).padStart(6, '0')}`;
    const body = { things: repeats ? items.flatMap(item => [item, item]) : items };
    if (isLast && lastCursor === 'no pagination') return body;
    if (isLast && lastCursor === 'none') return { ...body, pagination: {} };
    return { ...body, pagination: { cursor } };
  };
}

test('from an honest service nothing is lost and nothing comes twice', async () => {
  await fc.assert(
    fc.asyncProperty(honestService, fc.integer({ min: 1, max: 1000 }), async (service, limit) => {
      const all = service.groups.flatMap((size, group) =>
        Array.from({ length: size }, (_, index) => ({
          id: `${group}-${index}`,
          created_at: `second ${group}`,
        })),
      );
      const { source } = listSource(serveHonestly(service, all));
      const { items, complete } = await readList(source, thingList, { ...options, limit });
      expect(items.map(({ id }) => id)).toEqual(all.map(({ id }) => id));
      expect(complete).toBe(true);
    }),
  );
});

const anyItem = fc.oneof(
  fc.record({ id: fc.constantFrom('a', 'b', 'c', 'd') }),
  fc.record({ id: fc.string() }),
  fc.anything(),
);
const anyPage = fc.record(
  {
    things: fc.array(anyItem, { maxLength: 6 }),
    pagination: fc.option(
      fc.record({ cursor: fc.oneof(fc.constantFrom('c1', 'c2', 'c3'), fc.string()) }, { requiredKeys: [] }),
    ),
    unavailable_project_ids: fc.array(fc.string(), { maxLength: 2 }),
  },
  { requiredKeys: ['things'] },
);

describe('whatever a service answers', () => {
  test('a walk ends, no item comes twice and its last page alone says why', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyPage, { minLength: 1, maxLength: 8 }), async answers => {
        const { source, requests } = listSource((_, count) => answers[(count - 1) % answers.length]);
        const pages: WalkedPage<Thing>[] = [];
        for await (const page of readPages(source, thingList, { ...options, maxPages: 50 })) pages.push(page);
        const ids = pages.flatMap(({ items }) => items.map(({ id }) => id));
        expect(new Set(ids).size).toBe(ids.length);
        expect(pages.map(({ end }) => end !== undefined)).toEqual(
          pages.map((_, index) => index === pages.length - 1),
        );
        expect(requests.length).toBe(pages.length);
      }),
    );
  });

  test('a list is complete only when nothing was rejected, nothing is unavailable and it came to an honest end, and malformed when most of it was rejected', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyPage, { minLength: 1, maxLength: 8 }), async answers => {
        const { source, requests } = listSource((_, count) => answers[(count - 1) % answers.length]);
        const reading = await readList(source, thingList, { ...options, maxPages: 50 }).catch(error => error);
        const shown = requests.flatMap((_, index) => answers[index % answers.length]?.things ?? []);
        const unusable = shown.filter(item => thingList.decode(item) === undefined);
        expect(reading.reason).toBe(unusable.length > shown.length / 2 ? 'malformed' : undefined);
        if (reading.reason !== undefined) return;
        const last = answers[(requests.length - 1) % answers.length];
        const isHonestEnd = last?.things.length === 0 || !last?.pagination?.cursor;
        expect(reading.complete).toBe(
          isHonestEnd && reading.rejected === 0 && reading.unavailableIds.length === 0,
        );
      }),
    );
  });

  test('fresh cursors and fresh items without end are cut off', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 40 }), async maxPages => {
        const { source, requests } = listSource((_, count) => ({
          things: [{ id: `t${count}` }],
          pagination: { cursor: `c${count}` },
        }));
        expect(await readList(source, thingList, { ...options, maxPages })).toMatchObject({
          complete: false,
        });
        expect(requests).toHaveLength(maxPages);
      }),
    );
  });
});
