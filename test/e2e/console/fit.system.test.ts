import { readFileSync } from 'node:fs';
import { renderToString } from 'preact-render-to-string';
import { expect, test } from 'vitest';
import { drawChart } from '../../../src/console/part/chart/chart.ts';
import type { LaneSpan } from '../../../src/console/part/chart/declaration.ts';
import { timeSlices } from '../../../src/console/part/chart/step.ts';
import { describeWithPeers } from '../../support/peer.ts';
import { ConsoleBrowser } from './console-browser.ts';

const hour = 60 * 60 * 1000;
const noon = Date.UTC(2026, 10, 20, 12);
const style = readFileSync('src/console/browser/console.css', 'utf8');

/** A state from some hours after noon until others. */
function spanOf(from: number, until: number, kind: LaneSpan['kind'], words: string): LaneSpan {
  return { fromAt: noon + from * hour, untilAt: noon + until * hour, kind, words };
}

const chart = drawChart({
  ...{ id: 'states', label: 'States', stepNoun: 'time' },
  steps: timeSlices(noon, noon + 12 * hour, 12, () => undefined),
  lanes: [
    {
      name: 'ep-hidden-forest-85324201',
      detail: 'awake 31.4%, 12.5% not known · 1,224 starts · 12 failed operations',
      life: { fromAt: noon, untilAt: noon + 12 * hour },
      spans: [
        spanOf(0, 1, 'asleep', 'asleep 1 h'),
        spanOf(1, 3.5, 'awake', 'awake 2 h 30 min'),
        spanOf(3.5, 12, 'asleep', 'asleep 8 h 30 min'),
      ],
      marks: [],
      said: [],
    },
  ],
});

/** Words of stretches that are seen, and whether each is seen whole. */
const readWords = `[...document.querySelectorAll('.words')].flatMap(place => {
  const [box, word] = [place.getBoundingClientRect(), place.firstElementChild.getBoundingClientRect()];
  if (word.top >= box.bottom) return [];
  return [[place.textContent, word.left >= box.left && word.right <= box.right ? 'whole' : 'cut']];
})`;
/** Words that end before they are said. */
const readCutWords = `[...document.querySelectorAll('.rows .t')].filter(each => each.scrollWidth > each.clientWidth).map(each => each.textContent)`;
const readCutNames = `[...document.querySelectorAll('.lane-names :is(li, b, .s)')].filter(each => each.scrollWidth > each.clientWidth + 1 || each.scrollHeight > each.clientHeight + 1).map(each => each.textContent)`;

const list = `<ul class="rows"><li><span class="t"><b>price of scale</b> <span class="s">$0.16 and $0.171 a compute hour, as of 2026-11-03</span></span><svg width="96" height="14"></svg><span class="r">+$33.87</span></li></ul>`;

describeWithPeers(['chromium'], 'what has too little room', ({ chromium }) => {
  const read = async (width: number) => {
    await using browser = await ConsoleBrowser.open(chromium);
    const page = await browser.visit('about:blank', { viewport: { width, height: 800 } });
    const body = `<section class="card mid"><div class="in">${renderToString(chart)}</div></section><div class="g g3"><section class="card">${list}</section></div>`;
    await page.setContent(`<style>${style}</style><main>${body}</main>`);
    return {
      words: await page.evaluate(readWords),
      cut: [
        ...((await page.evaluate(readCutNames)) as string[]),
        ...((await page.evaluate(readCutWords)) as string[]),
      ],
    };
  };

  test('on a phone is left out of stretches of a timeline, and else stands on more lines', async () => {
    expect(await read(390)).toEqual({ words: [['asleep 8 h 30 min', 'whole']], cut: [] });
  });

  test('on a wide screen is nothing of a timeline', async () => {
    expect(await read(1400)).toEqual({
      words: [
        ['asleep 1 h', 'whole'],
        ['awake 2 h 30 min', 'whole'],
        ['asleep 8 h 30 min', 'whole'],
      ],
      cut: [],
    });
  });

  test('on a narrow window is left out of stretches, and else stands on more lines', async () => {
    expect(await read(700)).toEqual({ words: [['asleep 8 h 30 min', 'whole']], cut: [] });
  });
});
