import { execFileSync } from 'node:child_process';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import type { Format } from '../../src/metrics/page/exposition.ts';
import type { EncodedPage } from '../../src/metrics/page/page-set.ts';
import { compress, gzipHeader } from '../../src/metrics/page/piece.ts';
import {
  type PageResponse,
  Publication,
  type RenderedPage,
} from '../../src/metrics/publication/publication.ts';
import { describeWithPeers } from '../support/peer.ts';

const join = ({ pieces }: PageResponse) => buffer(Readable.from(pieces));
const megabytes = Array.from(
  { length: 100_000 },
  (_, index) => `dbpm_up{account="${index}"} ${index}\n`,
).join('');

function asBody(text: string, format: Format = 'text', edition = 1): EncodedPage {
  const { deflated, checksum, bytes } = compress(Buffer.from(text), 0);
  const gzip = new Uint8Array(Buffer.concat([gzipHeader, deflated]));
  return { format, revision: edition, gzip, crc: checksum.crc, bytes };
}

function asIssue(edition: number, ...bodies: readonly EncodedPage[]): RenderedPage {
  return {
    ...{ revision: edition, series: 0, renewedPieces: 1, missing: new Map() },
    ...{ publishedAt: edition, durationMs: 1, pages: bodies },
  };
}

/** A publication whose formats are assembled when the test says so. */
function openPublication() {
  const clock = { now: 0 };
  const asked: { readonly format: Format; answer(body: EncodedPage): void; fail(error: Error): void }[] = [];
  const recycled: ArrayBuffer[] = [];
  const publication = new Publication({
    recycle: memory => recycled.push(memory),
    assemble(format) {
      const { promise, resolve, reject } = Promise.withResolvers<EncodedPage>();
      asked.push({ format, answer: resolve, fail: reject });
      return promise;
    },
    now: () => clock.now,
  });
  return { publication, asked, clock, recycled };
}

function publish(text: string): Publication {
  const { publication } = openPublication();
  publication.publish(asIssue(1, asBody(text)));
  return publication;
}

/** The gzip members of a stream as the gzip library sees them, each with its text. */
function listMembers(python3: string, stream: Buffer): readonly string[] {
  const program = [
    'import sys, zlib, json',
    'rest, members = sys.stdin.buffer.read(), []',
    'while rest:',
    '    one = zlib.decompressobj(31)',
    '    members.append((one.decompress(rest) + one.flush()).decode())',
    '    assert one.eof',
    '    rest = one.unused_data',
    'print(json.dumps(members))',
  ].join('\n');
  return JSON.parse(
    execFileSync(python3, ['-c', program], { input: stream, encoding: 'utf8', maxBuffer: 1e9 }),
  );
}

describe('a publication', () => {
  it.each([
    ['of a page and a tail', 'page "ü🐘"\n', 'tail\n'],
    ['of an empty page', '', 'tail\n'],
    ['of a page without a tail', 'page\n', ''],
    ['of nothing at all', '', ''],
    ['of several megabytes', megabytes, '# EOF\n'],
  ])('%s is the same bytes plain and gunzipped', async (_, text, tail) => {
    const publication = publish(text);
    const ofPlain = await publication.read('text', false, tail);
    const ofGzip = await publication.read('text', true, tail);
    const [plain, gzip] = [await join(ofPlain), await join(ofGzip)];
    expect(plain.toString() === text + tail).toBe(true);
    expect(gunzipSync(gzip).equals(plain)).toBe(true);
    expect(ofPlain.bytes).toBe(plain.length);
    expect(ofGzip.bytes).toBe(gzip.length);
  });

  it('ends whole whatever changed since the scrape before: the page, its tail, both or nothing', async () => {
    const publication = publish('page 1\n');
    const read = async (tail: string) => gunzipSync(await join(await publication.read('text', true, tail)));
    expect((await read('tail 1\n')).toString()).toBe('page 1\ntail 1\n');
    expect((await read('tail 1\n')).toString()).toBe('page 1\ntail 1\n');
    publication.publish(asIssue(2, asBody('the next page\n')));
    expect((await read('tail 1\n')).toString()).toBe('the next page\ntail 1\n');
    expect((await read('tail 2\n')).toString()).toBe('the next page\ntail 2\n');
    publication.publish(asIssue(3, asBody('page 3\n')));
    expect((await read('')).toString()).toBe('page 3\n');
  });

  describeWithPeers(['python3', 'gzip'], 'compressed', ({ python3, gzip }) => {
    it('is one gzip member to other programs too', async () => {
      const body = await publish('page\n'.repeat(100_000)).read('text', true, 'tail\n');
      const members = listMembers(python3, await join(body));
      expect(members.map(text => text.length)).toEqual([500_005]);
      expect(members[0]?.slice(-10)).toBe('page\ntail\n');
    });

    it('passes gzip -t', async () => {
      const input = await join(await publish(megabytes).read('text', true, '# EOF\n'));
      expect(execFileSync(gzip, ['-t'], { input, encoding: 'utf8' })).toBe('');
    });
  });

  it('answers scrapes at the same time each with its own tail, from the same bytes', async () => {
    const publication = publish(megabytes);
    const tails = Array.from({ length: 8 }, (_, index) => `tail ${index}\n`);
    for (const gzip of [true, false]) {
      const bodies = await Promise.all(tails.map(tail => publication.read('text', gzip, tail)));
      expect(new Set(bodies.map(({ memory }) => memory)).size).toBe(1);
      for (const [index, body] of (await Promise.all(bodies.map(join))).entries()) {
        const text = gzip ? gunzipSync(body) : body;
        expect(text.subarray(-7).toString()).toBe(`tail ${index}\n`);
      }
    }
  });
});

describe('a format that an issue does not bring', () => {
  it('is asked for once, by the first scrape that wants it', async () => {
    const { publication, asked } = openPublication();
    publication.publish(asIssue(1, asBody('as text\n')));
    const scrapes = [1, 2].map(() => publication.read('openmetrics', false, '# EOF\n'));
    expect(asked.map(({ format }) => format)).toEqual(['openmetrics']);
    asked[0]?.answer(asBody('as openmetrics\n', 'openmetrics'));
    scrapes.push(publication.read('openmetrics', true, '# EOF\n'));
    const [first, second, third] = await Promise.all(scrapes.map(async scrape => join(await scrape)));
    expect([first?.toString(), second?.toString()]).toEqual(Array(2).fill('as openmetrics\n# EOF\n'));
    expect(gunzipSync(third ?? '').toString()).toBe('as openmetrics\n# EOF\n');
    expect(asked).toHaveLength(1);
    expect((await join(await publication.read('text', false, ''))).toString()).toBe('as text\n');
  });

  it('that cannot be made fails those scrapes, and is asked for again', async () => {
    const { publication, asked } = openPublication();
    const failing = publication.read('text', true, '');
    asked[0]?.fail(new Error('no page'));
    await expect(failing).rejects.toThrow('no page');
    const next = publication.read('text', false, '');
    asked[1]?.answer(asBody('page\n'));
    expect((await join(await next)).toString()).toBe('page\n');
  });

  it('made for an issue that was replaced meanwhile answers who waited, and nobody else', async () => {
    const { publication, asked } = openPublication();
    publication.publish(asIssue(1));
    const early = publication.read('text', false, '');
    publication.publish(asIssue(2));
    const late = publication.read('text', false, '');
    expect(asked).toHaveLength(2);
    asked[0]?.answer(asBody('old\n', 'text', 1));
    asked[1]?.answer(asBody('new\n', 'text', 2));
    expect((await join(await early)).toString()).toBe('old\n');
    expect((await join(await late)).toString()).toBe('new\n');
    expect((await join(await publication.read('text', false, ''))).toString()).toBe('new\n');
    expect(asked).toHaveLength(2);
  });
});

describe('the next issue', () => {
  it('answers every scrape that comes after it', async () => {
    const publication = publish('old\n');
    const before = publication.read('text', true, 'tail\n');
    publication.publish(asIssue(2, asBody('new\n', 'text', 2)));
    expect(gunzipSync(await join(await before)).toString()).toBe('old\ntail\n');
    expect(gunzipSync(await join(await publication.read('text', true, 'tail\n'))).toString()).toBe(
      'new\ntail\n',
    );
    expect(publication.latest?.publishedAt).toBe(2);
  });

  it('of the same edition keeps what is held', async () => {
    const publication = publish('page\n');
    publication.publish({ ...asIssue(1), publishedAt: 9 });
    expect((await join(await publication.read('text', false, ''))).toString()).toBe('page\n');
    expect(publication.latest?.publishedAt).toBe(9);
  });

  it('is to bring the formats that were asked for in the last five minutes', () => {
    const { publication, clock } = openPublication();
    expect(publication.wanted()).toEqual([]);
    void publication.read('openmetrics', true, '');
    clock.now = 100_000;
    void publication.read('text', false, '');
    expect(publication.wanted()).toEqual(['text', 'openmetrics']);
    clock.now = 300_001;
    expect(publication.wanted()).toEqual(['text']);
    clock.now = 400_001;
    expect(publication.wanted()).toEqual([]);
  });
});

describe('the memory of a page', () => {
  const old = asBody('old\n', 'text', 1);
  const next = asIssue(2, asBody('new\n', 'text', 2));

  it('is given back when the page was replaced and every answer from it is done', async () => {
    const { publication, recycled } = openPublication();
    publication.publish(asIssue(1, old));
    const [first, second] = await Promise.all([1, 2].map(() => publication.read('text', true, '')));
    publication.publish(next);
    first?.done();
    first?.done();
    expect(recycled).toEqual([]);
    second?.done();
    expect(recycled).toEqual([old.gzip.buffer]);
  });

  it('is given back at once when nobody reads it', async () => {
    const { publication, recycled } = openPublication();
    publication.publish(asIssue(1, old));
    (await publication.read('text', true, '')).done();
    expect(recycled).toEqual([]);
    publication.publish(next);
    expect(recycled).toEqual([old.gzip.buffer]);
  });

  it('is not given back while the page is being decompressed', async () => {
    const { publication, recycled } = openPublication();
    publication.publish(asIssue(1, old));
    const plain = await publication.read('text', false, '');
    publication.publish(next);
    expect((await join(plain)).toString()).toBe('old\n');
    expect(recycled).toEqual([]);
    plain.done();
    expect(recycled).toEqual([old.gzip.buffer]);
  });

  it('is kept with an issue of the same edition', () => {
    const { publication, recycled } = openPublication();
    publication.publish(asIssue(1, old));
    publication.publish(asIssue(1));
    expect(recycled).toEqual([]);
  });
});
