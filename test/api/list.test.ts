import { describe, expect, test } from 'vitest';
import { readList, readListPages, readPages } from '../../src/api/list.ts';
import { ApiError } from '../../src/api/message/api-error.ts';
import { consumptionList } from '../../src/resources/consumption.ts';
import { granularities } from '../../src/resources/meter.ts';
import { rejection, startClient } from '../support/api-client.ts';
import { listSource, type Thing, thingList, things } from '../support/list-server.ts';
import { answerJson } from '../support/scripted-service.ts';

const { signal } = new AbortController();
const options = { params: { project_id: 'p1' }, priority: 'list' as const, signal };

async function collect<Item>(pages: AsyncIterable<Item>): Promise<readonly Item[]> {
  const all: Item[] = [];
  for await (const page of pages) all.push(page);
  return all;
}

describe('lists and paging', () => {
  test('a list that is paged is followed to its end, the limit sent along with every cursor', async () => {
    const pages = [
      { things: things('a', 'b'), pagination: { cursor: 'b' } },
      { things: things('c'), pagination: { cursor: 'c' } },
      { things: [], pagination: { cursor: 'c' } },
    ];
    const { source, queries } = listSource((_, count) => pages[count - 1]);
    expect(await readList(source, thingList, options)).toEqual({
      items: things('a', 'b', 'c'),
      rejected: 0,
      complete: true,
      unavailableIds: [],
      servedAt: 1000,
    });
    expect(queries()).toEqual([
      { limit: '400' },
      { limit: '400', cursor: 'b' },
      { limit: '400', cursor: 'c' },
    ]);
  });

  test('over the wire, the cursor arrives as the service gave it', async () => {
    const cursor = '2022-12-07T00:45:05.262011+00:00/&?';
    const { client, service } = await startClient(({ url }, response) =>
      answerJson(
        response,
        200,
        url.searchParams.has('cursor')
          ? { things: things('b') }
          : { things: things('a'), pagination: { cursor } },
      ),
    );
    const { items, complete } = await readList(client, thingList, options);
    expect([items, complete]).toEqual([things('a', 'b'), true]);
    expect(service.requests[1]?.url.searchParams.get('cursor')).toBe(cursor);
    expect(service.requests[1]?.target).toBe(
      '/api/v2/projects/p1/things?limit=400&cursor=2022-12-07T00%3A45%3A05.262011%2B00%3A00%2F%26%3F',
    );
  });

  test('a list most of whose items cannot be used is malformed, whatever was handed on of it before', async () => {
    const junk = [7, null, { name: 'no id' }];
    const pages = [
      { things: [...things('a', 'b'), junk[0]], pagination: { cursor: 'b' } },
      { things: [...junk, ...things('c')] },
    ];
    const { source } = listSource((_, count) => pages[count - 1]);
    const walk = readListPages(source, thingList, options);
    expect((await walk.next()).value).toEqual({ items: things('a', 'b'), servedAt: 1000 });
    expect((await walk.next()).value).toEqual({ items: things('c'), servedAt: 2000 });
    expect(await rejection(walk.next())).toMatchObject({
      reason: 'malformed',
      message:
        '4 of 7 items in the answer of GET /projects/{project_id}/things cannot be used: check that base_url is that of an API of version 2',
    });
  });

  test('a list half of whose items can be used is read, also where the service shows it twice', async () => {
    const { source } = listSource(() => ({ things: [...things('a'), null], pagination: { cursor: 'a' } }));
    const { pageLimit: _, ...unpaged } = thingList;
    expect(await readList(source, unpaged, options)).toMatchObject({ items: things('a'), complete: false });
  });

  test('a cursor is followed on a list that is not known to be paged', async () => {
    const { source, queries } = listSource((_, count) =>
      count === 1 ? { things: things('a'), pagination: { cursor: 'a' } } : { things: [] },
    );
    const { pageLimit: _, ...unpaged } = thingList;
    const { items, complete } = await readList(source, unpaged, options);
    expect([items, complete]).toEqual([things('a'), true]);
    expect(queries()).toEqual([{}, { cursor: 'a' }]);
  });

  test('an answer without pagination is complete in itself, empty or not', async () => {
    for (const body of [{ things: [] }, { things: things('a') }]) {
      const { source, requests } = listSource(() => body);
      expect(await readList(source, thingList, options)).toMatchObject({
        items: body.things,
        complete: true,
      });
      expect(requests).toHaveLength(1);
    }
  });

  test('a cursor that comes though nothing follows ends with an empty page', async () => {
    const { source, requests } = listSource(({ cursor }) =>
      cursor === undefined
        ? { things: things('a'), pagination: { cursor: 'a' } }
        : { things: [], pagination: { cursor: 'z' } },
    );
    expect(await readList(source, thingList, options)).toMatchObject({ items: things('a'), complete: true });
    expect(requests).toHaveLength(2);
  });

  test('a list that is not paged is complete although it shows itself again for a cursor nobody needs', async () => {
    const { source } = listSource(() => ({ things: things('a', 'b'), pagination: { cursor: 'b' } }));
    const { pageLimit: _paged, ...unpaged } = thingList;
    const list = await readList(source, unpaged, options);
    expect([list.items, list.complete]).toEqual([things('a', 'b'), true]);
  });

  test('a server that repeats one cursor for ever is left, and the list is not complete', async () => {
    const { source, requests } = listSource((_, count) => ({
      things: things(`t${count}`),
      pagination: { cursor: 'same' },
    }));
    const pages = await collect(readPages(source, thingList, options));
    expect(pages.map(({ end, cursor }) => [end, cursor])).toEqual([
      [undefined, 'same'],
      ['repeated_cursor', undefined],
    ]);
    expect(requests).toHaveLength(2);
    const { complete } = await readList(source, thingList, options);
    expect(complete).toBe(false);
  });

  test('a server that goes in a circle of cursors is left', async () => {
    const { source, requests } = listSource((_, count) => ({
      things: things(`t${count}`),
      pagination: { cursor: `c${count % 3}` },
    }));
    const pages = await collect(readPages(source, thingList, options));
    expect(pages.at(-1)?.end).toBe('repeated_cursor');
    expect(requests).toHaveLength(4);
  });

  test('a server that ignores the cursor and serves page one for ever is left', async () => {
    const { source, requests } = listSource((_, count) => ({
      things: things('a', 'b'),
      pagination: { cursor: `c${count}` },
    }));
    const pages = await collect(readPages(source, thingList, options));
    expect(pages.map(({ items, end }) => [items, end])).toEqual([
      [things('a', 'b'), undefined],
      [[], 'known_ids'],
    ]);
    expect(requests).toHaveLength(2);
    expect(await readList(source, thingList, options)).toMatchObject({ complete: false });
  });

  test('a list without end is left after so many pages', async () => {
    const { source } = listSource((_, count) => ({
      things: things(`t${count}`),
      pagination: { cursor: `c${count}` },
    }));
    const pages = await collect(readPages(source, thingList, { ...options, maxPages: 5 }));
    expect(pages.map(({ end }) => end)).toEqual([undefined, undefined, undefined, undefined, 'cap']);
    expect(pages.at(-1)?.cursor).toBe('c5');
    expect(await readList(source, thingList, { ...options, maxPages: 5 })).toMatchObject({ complete: false });
  });

  test('a list without end is left after so long a time', async () => {
    let now = 0;
    const { source } = listSource((_, count) => {
      now += 10 * 60_000;
      return { things: things(`t${count}`), pagination: { cursor: `c${count}` } };
    });
    const pages = await collect(readPages(source, thingList, { ...options, now: () => now }));
    expect(pages.map(({ end }) => end)).toEqual([undefined, undefined, 'cap']);
  });

  test('items that repeat, within a page or across pages, are handed over once', async () => {
    const pages = [
      { things: things('a', 'b', 'a'), pagination: { cursor: 'b' } },
      { things: things('b', 'c') },
    ];
    const { source } = listSource((_, count) => pages[count - 1]);
    expect(await readList(source, thingList, options)).toMatchObject({
      items: things('a', 'b', 'c'),
      complete: true,
    });
  });

  test('a short page proves nothing, as the service may clamp the limit', async () => {
    const { source, requests } = listSource((_, count) =>
      count < 4
        ? { things: things(`t${count}`), pagination: { cursor: `c${count}` } }
        : { things: things('t4') },
    );
    const { items } = await readList(source, thingList, options);
    expect(items).toEqual(things('t1', 't2', 't3', 't4'));
    expect(requests).toHaveLength(4);
  });

  test('a partial list is not complete and names what is missing', async () => {
    const { source } = listSource(() => ({ things: things('a'), unavailable_project_ids: ['b', 'c', 'b'] }));
    expect(await readList(source, thingList, options)).toMatchObject({
      items: things('a'),
      complete: false,
      unavailableIds: ['b', 'c'],
    });
  });

  test('a bad item is counted and skipped, and the list is not complete', async () => {
    const good = things('a', 'c', 'd', 'e');
    const { source } = listSource(() => ({ things: [null, ...good, { id: 7 }, 'b', []] }));
    expect(await readList(source, thingList, options)).toMatchObject({
      items: good,
      rejected: 4,
      complete: false,
    });
  });

  test('a page of bad items only is not the end', async () => {
    const { source } = listSource((_, count) =>
      count === 1 ? { things: [null], pagination: { cursor: 'c1' } } : { things: things('a') },
    );
    expect(await readList(source, thingList, options)).toMatchObject({ items: things('a'), rejected: 1 });
  });

  test('a list that may not be read fails with the error of the service', async () => {
    const { source } = listSource(() => {
      throw new ApiError('forbidden', thingList.route, 'no', { status: 403 });
    });
    expect(await rejection(readList(source, thingList, options))).toMatchObject({ reason: 'forbidden' });
  });
});

test('a hundred and fifty thousand items in one answer leave turns to everything else', async () => {
  const ids = Array.from({ length: 150_000 }, (_, index) => `thing-${index}`);
  const { source } = listSource(() => ({ things: ids.flatMap(id => things(id)) }));
  let turns = 0;
  let next: NodeJS.Immediate | undefined;
  const take = () => {
    turns += 1;
    next = setImmediate(take);
  };
  take();
  expect((await readList(source, thingList, options)).items).toHaveLength(150_000);
  clearImmediate(next);
  expect(turns).toBeGreaterThan(149);
});

describe('a walk back to what is known', () => {
  const pages = [
    { things: things('e', 'd'), pagination: { cursor: 'd' } },
    { things: things('c', 'b'), pagination: { cursor: 'b' } },
    { things: things('a'), pagination: { cursor: 'a' } },
  ];

  test('ends after the first page of known items only, and hands it over', async () => {
    const { source, requests } = listSource((_, count) => pages[count - 1]);
    const known = new Set(['d', 'c', 'b', 'a']);
    const isKnown = ({ id }: Thing) => known.has(id);
    const walked = await collect(readPages(source, thingList, { ...options, isKnown }));
    expect(walked.map(({ items, end, cursor }) => [items, end, cursor])).toEqual([
      [things('e', 'd'), undefined, 'd'],
      [things('c', 'b'), 'known_ids', 'b'],
    ]);
    expect(requests).toHaveLength(2);
  });

  test('resumes where an earlier one stopped, with the page size asked for', async () => {
    const { source, queries } = listSource(() => pages[2]);
    const walk = readPages(source, thingList, { ...options, cursor: 'b', limit: 2, maxPages: 1 });
    expect(await collect(walk)).toMatchObject([{ items: things('a'), end: 'cap', cursor: 'a' }]);
    expect(queries()).toEqual([{ limit: '2', cursor: 'b' }]);
  });
});

describe('a service that refuses limit', () => {
  const refuse = (status: number) => {
    throw new ApiError('malformed', thingList.route, 'refused', { status });
  };

  test.each([400, 422])('with %i is asked without it, and that is remembered', async status => {
    const { source, queries } = listSource(query =>
      'limit' in query ? refuse(status) : { things: things('a') },
    );
    await readList(source, thingList, options);
    const { items } = await readList(source, thingList, { ...options, params: { project_id: 'p2' } });
    expect(items).toEqual(things('a'));
    expect(queries()).toEqual([{ limit: '400' }, {}, {}]);
  });

  test('is asked without it once: a refusal of both is an error, and nothing is remembered', async () => {
    const { source, queries } = listSource(() => refuse(400));
    expect(await rejection(readList(source, thingList, options))).toMatchObject({ status: 400 });
    expect(queries()).toEqual([{ limit: '400' }, {}]);
    expect(source.routesWithoutLimit).toEqual(new Set());
  });

  test('and whose list always took it refuses something else: it is not asked again', async () => {
    for (const granularity of granularities) {
      const { source, queries } = listSource(() => refuse(422));
      expect(await rejection(readList(source, consumptionList(granularity), options))).toMatchObject({
        status: 422,
      });
      expect(queries()).toEqual([{ limit: '100' }]);
    }
  });

  test('with another status is not asked again', async () => {
    const { source, queries } = listSource(() => refuse(403));
    await rejection(readList(source, thingList, options));
    expect(queries()).toEqual([{ limit: '400' }]);
  });

  test('over the wire, is asked without it as well', async () => {
    const { client, service } = await startClient(({ url }, response) =>
      url.searchParams.has('limit')
        ? answerJson(response, 400, { message: 'unknown parameter' })
        : answerJson(response, 200, { things: things('a') }),
    );
    expect(await readList(client, thingList, options)).toMatchObject({ items: things('a'), complete: true });
    expect(service.requests.map(({ url }) => url.search)).toEqual(['?limit=400', '']);
  });
});

test('a walk stops promptly when its signal aborts', async () => {
  const controller = new AbortController();
  const { source, requests } = listSource((_, count) => {
    if (count === 2) controller.abort(new Error('shutting down'));
    return { things: things(`t${count}`), pagination: { cursor: `c${count}` } };
  });
  const walk = readList(source, thingList, { ...options, signal: controller.signal });
  expect(await rejection(walk)).toEqual(new Error('shutting down'));
  expect(requests).toHaveLength(2);
});
