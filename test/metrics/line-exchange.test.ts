import { describe, expect, it } from 'vitest';
import { type Exchange, exchangeLines } from '../../src/metrics/page/line-exchange.ts';
import { TextBuffer } from '../../src/metrics/page/text-buffer.ts';

const text = [
  'up{id="a"} 1',
  'up{id="aü"} 2',
  'up{id="b",s="x"} 3',
  'up{id="b",s="y"} 4',
  'up{id="c"} 5',
  '',
];

function exchange(exchanges: readonly Exchange[]) {
  const buffer = new TextBuffer();
  buffer.append('what it held before');
  const removed = exchangeLines(Buffer.from(text.join('\n')), exchanges, buffer);
  return { removed, lines: Buffer.from(buffer.bytes()).toString().split('\n') };
}

describe('an exchange of lines', () => {
  it('replaces all consecutive lines that begin alike, and leaves the others', () => {
    const exchanges = [
      { beginning: 'up{id="aü"', lines: 'up{id="aü"} 20\n' },
      { beginning: 'up{id="b"', lines: 'up{id="b",s="🐘"} 30\n' },
    ];
    expect(exchange(exchanges)).toEqual({
      removed: 3,
      lines: [text[0], 'up{id="aü"} 20', 'up{id="b",s="🐘"} 30', 'up{id="c"} 5', ''],
    });
  });

  it('takes lines away, at either end too, and puts more in the place of one', () => {
    const exchanges = [
      { beginning: 'up{id="a"', lines: 'up{id="a",s="x"} 1\nup{id="a",s="y"} 1\n' },
      { beginning: 'up{id="c"', lines: '' },
    ];
    expect(exchange(exchanges)).toEqual({
      removed: 2,
      lines: ['up{id="a",s="x"} 1', 'up{id="a",s="y"} 1', ...text.slice(1, 4), ''],
    });
  });

  it('is not made where lines are missing or come in another order', () => {
    expect(exchange([{ beginning: 'up{id="d"', lines: '' }]).removed).toBeUndefined();
    const reversed = ['c', 'a'].map(id => ({ beginning: `up{id="${id}"`, lines: '' }));
    expect(exchange(reversed).removed).toBeUndefined();
  });

  it('of none is the text as it was', () => {
    expect(exchange([])).toEqual({ removed: 0, lines: text });
  });
});
