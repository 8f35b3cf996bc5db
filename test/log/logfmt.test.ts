import { expect, test } from 'vitest';
import { renderLogfmt } from '../../src/log/logger.ts';

test.each([
  [{ plain: 'a-b/c:1' }, 'plain=a-b/c:1'],
  [{ spaced: 'a b' }, 'spaced="a b"'],
  [{ empty: '' }, 'empty=""'],
  [{ equals: 'a=b' }, 'equals="a=b"'],
  [{ quoted: 'say "no"' }, 'quoted="say \\"no\\""'],
  [{ broken: 'a\nb\r' }, 'broken="a\\nb\\r"'],
  [{ slash: 'a\\b' }, 'slash="a\\\\b"'],
  [{ escape: '\u001b[31m' }, 'escape="\\u001b[31m"'],
  [{ separator: 'a\u2028b\u0085' }, 'separator="a\\u2028b\\u0085"'],
  [{ letters: 'Größe' }, 'letters=Größe'],
  [{ 'odd key="\n': 1 }, 'odd_key___=1'],
  [{ nothing: null, no: false, count: 1.5 }, 'nothing=null no=false count=1.5'],
  [{ nested: { a: 1, b: { c: 'd e' } } }, 'nested.a=1 nested.b.c="d e"'],
  [{ list: ['a', 'b', 1] }, 'list="a; b; 1"'],
])('%j is written %s', (record, line) => expect(renderLogfmt(record)).toBe(line));
