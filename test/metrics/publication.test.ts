import { execFileSync } from 'node:child_process';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { type Body, Publication } from '../../src/metrics/publication.ts';

const join = ({ pieces }: Body) => Buffer.concat(pieces);
const asPage = (text: string) => ({ text, openmetrics: text.toUpperCase() });
const megabytes = Array.from(
  { length: 100_000 },
  (_, index) => `dbpm_up{account="${index}"} ${index}\n`,
).join('');

/** The gzip members of a stream as the gzip library sees them, each with its text. */
function listMembers(stream: Buffer): readonly string[] {
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
    execFileSync('python3', ['-c', program], { input: stream, encoding: 'utf8', maxBuffer: 1e9 }),
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
    const publication = new Publication();
    publication.publish(asPage(text));
    const plain = publication.plain('text', tail);
    const gzip = await publication.gzip('text', tail);
    expect(join(plain).toString() === text + tail).toBe(true);
    expect(gunzipSync(join(gzip)).equals(join(plain))).toBe(true);
    expect(plain.bytes).toBe(join(plain).length);
    expect(gzip.bytes).toBe(join(gzip).length);
  });

  it('before the first page is the tail alone', async () => {
    const publication = new Publication();
    expect(join(publication.plain('text', 'tail\n')).toString()).toBe('tail\n');
    expect(gunzipSync(join(await publication.gzip('openmetrics', '# EOF\n'))).toString()).toBe('# EOF\n');
  });

  it('keeps its formats apart', async () => {
    const publication = new Publication();
    publication.publish({ text: 'as text\n', openmetrics: 'as openmetrics\n' });
    const read = async (format: 'text' | 'openmetrics') =>
      gunzipSync(join(await publication.gzip(format, ''))).toString();
    expect([await read('text'), await read('openmetrics')]).toEqual(['as text\n', 'as openmetrics\n']);
  });

  it('compressed is one gzip member to other programs too', async ({ skip }) => {
    if (!isInstalled('python3')) return skip('skipped: python3 not found');
    const publication = new Publication();
    publication.publish(asPage('page\n'.repeat(100_000)));
    const members = listMembers(join(await publication.gzip('text', 'tail\n')));
    expect(members.map(text => text.length)).toEqual([500_005]);
    expect(members[0]?.slice(-10)).toBe('page\ntail\n');
  });

  it('compressed passes gzip -t', async ({ skip }) => {
    if (!isInstalled('gzip')) return skip('skipped: gzip not found');
    const publication = new Publication();
    publication.publish(asPage(megabytes));
    const input = join(await publication.gzip('openmetrics', '# EOF\n'));
    expect(execFileSync('gzip', ['-t'], { input, encoding: 'utf8' })).toBe('');
  });

  it('answers scrapes at the same time each with its own tail, from one compression', async () => {
    const publication = new Publication();
    publication.publish(asPage(megabytes));
    const bodies = await Promise.all(
      Array.from({ length: 8 }, (_, index) => publication.gzip('text', `tail ${index}\n`)),
    );
    const compressedPages = new Set(bodies.map(({ pieces }) => pieces[1]));
    expect(compressedPages.size).toBe(1);
    for (const [index, body] of bodies.entries()) {
      expect(gunzipSync(join(body)).subarray(-7).toString()).toBe(`tail ${index}\n`);
    }
  });

  it('published again while a scrape is being compressed, answers that one whole from the old page', async () => {
    const publication = new Publication();
    publication.publish(asPage('old\n'));
    const scrape = publication.gzip('text', 'tail\n');
    publication.publish(asPage('new page\n'));
    expect(gunzipSync(join(await scrape)).toString()).toBe('old\ntail\n');
    expect(gunzipSync(join(await publication.gzip('text', 'tail\n'))).toString()).toBe('new page\ntail\n');
    expect(join(publication.plain('text', '')).toString()).toBe('new page\n');
  });
});

function isInstalled(program: string): boolean {
  try {
    execFileSync(program, ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
