import { readFileSync } from 'node:fs';
import { renderToString } from 'preact-render-to-string';
import { expect, test } from 'vitest';
import { drawChart } from '../../../src/console/part/chart/chart.ts';
import type { LaneSpan } from '../../../src/console/part/chart/declaration.ts';
import { bullet, spark } from '../../../src/console/part/chart/spark.ts';
import { timeSlices } from '../../../src/console/part/chart/step.ts';
import { waterfall } from '../../../src/console/part/chart/waterfall.ts';
import { html, type Markup } from '../../../src/console/part/html.ts';
import { tileStrip } from '../../../src/console/part/tile.ts';
import { describeWithPeers } from '../../support/peer.ts';
import { ConsoleBrowser, overflowOf } from './console-browser.ts';

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

describeWithPeers(['chromium'], 'beside each other', ({ chromium }) => {
  /** What an expression says of markup in the style of the console. */
  const measure = async <Result>(body: Markup, width: number, expression: string): Promise<Result> => {
    await using browser = await ConsoleBrowser.open(chromium);
    const page = await browser.visit('about:blank', { viewport: { width, height: 800 } });
    await page.setContent(`<style>${style}</style><main>${renderToString(body)}</main>`);
    return (await page.evaluate(expression)) as Result;
  };

  test.each([1400, 1200, 700, 390])(
    'no large figure of a tile runs into its drawing, at %d pixels',
    async width => {
      const drawing = bullet({ label: 'So far', value: 3, expected: 4 });
      const figure = html`<span>$1,123,416<span class="c">.83</span></span>`;
      const strip = tileStrip(['a', 'b', 'c', 'd'].map(title => ({ title, figure, drawing })));
      const crossed = `[...document.querySelectorAll('.tile')].filter(tile => {
      const [figure, drawing] = [tile.querySelector('.v > span'), tile.querySelector('svg')].map(each => each.getBoundingClientRect());
      return figure.right > tile.getBoundingClientRect().right || (figure.right > drawing.left && figure.bottom > drawing.top);
    }).length`;
      expect(await measure(strip, width, crossed)).toBe(0);
    },
  );

  test.each([1400, 700])('three tiles fill their strip, at %d pixels', async width => {
    const strip = tileStrip(['a', 'b', 'c'].map(title => ({ title, figure: '1' })));
    const room = `document.querySelector('.tiles').getBoundingClientRect().right - document.querySelector('.tile:last-child').getBoundingClientRect().right`;
    expect(await measure(strip, width, room)).toBeLessThanOrEqual(1);
  });

  test('a name of 120 characters in the head of a page is no wider than a phone', async () => {
    await using browser = await ConsoleBrowser.open(chromium);
    const page = await browser.visit('about:blank', { viewport: { width: 390, height: 800 } });
    const name = 'w'.repeat(120);
    const head = `<div class="head"><div><p class="crumb"><a href="/">Operations</a> / <a href="/">${name}</a></p><h1>Failed</h1><p>start_compute of <strong>${name}</strong></p></div></div>`;
    await page.setContent(`<style>${style}</style><main>${head}</main>`);
    expect(await overflowOf(page)).toBe(0);
  });

  test('on a phone, words of a choice stand in its middle', async () => {
    const choice = html`<div class="acts"><div class="seg"><a aria-current="true" href="/">This period</a></div></div><section class="card mid"><header><div class="seg"><a aria-current="true" href="/">Team</a></div></header></section>`;
    const off = `[...document.querySelectorAll('.seg a')].map(each => {
      const [range, box] = [document.createRange(), each.getBoundingClientRect()];
      range.selectNodeContents(each);
      const words = range.getBoundingClientRect();
      return Math.floor(Math.abs(words.top + words.bottom - box.top - box.bottom) / 2);
    })`;
    expect(await measure(choice, 390, off)).toEqual([0, 0]);
  });

  test('a name from right to left leaves figures after it in their place', async () => {
    const row = html`<ul class="rows"><li><span class="t"><b><a href="/">مشروع</a></b> <span class="s">7 CU, since 09:28</span></span></li></ul>`;
    const places = `[...document.querySelectorAll('.rows :is(a, .s)')].map(each => {
      const range = document.createRange();
      range.setStart(each.firstChild, 0);
      range.setEnd(each.firstChild, 1);
      return range.getBoundingClientRect().left;
    })`;
    const [name = 0, figure = 0] = await measure<readonly number[]>(row, 1400, places);
    expect(figure).toBeGreaterThan(name);
  });

  test('bars of a waterfall touch also from a row of two lines', async () => {
    const bars = waterfall(
      [
        { amount: 9, isSum: true },
        { amount: 3, isSum: false },
        { amount: 12, isSum: true },
      ],
      String,
    );
    const rows = bars.cells.map(
      bar =>
        html`<tr><td>cause<details open><summary>why</summary>more</details></td><td><div class="only-wide">${bar}</div></td><td>1</td></tr>`,
    );
    const gaps = `[...document.querySelectorAll('.fall')].map(each => Math.round(each.closest('tr').getBoundingClientRect().height - each.getBoundingClientRect().height))`;
    const table = html`<section class="card why"><div class="wide"><table><tbody>${rows}</tbody></table></div></section>`;
    for (const gap of await measure<readonly number[]>(table, 1400, gaps)) expect(gap).toBeLessThanOrEqual(1);
  });

  test('a table among texts begins where they do, and a small drawing in it below its heading', async () => {
    const drawing = spark({ label: 'Each day', values: [1, 2, 3], look: 'bars', width: 180 });
    const rows = html`<div class="wide"><table><thead><tr><th>What</th><th>Each day</th><th>Cost</th></tr></thead><tbody><tr><td>compute</td><td>${drawing}</td><td>1</td></tr></tbody></table></div>`;
    const card = html`<section class="card"><div class="in"><p>The period ends.</p>${rows}</div></section>`;
    const places = `['p', 'th', 'td', 'th:nth-child(2)', 'td svg path'].map(each => {
      const [place, range] = [document.querySelector('.in ' + each), document.createRange()];
      range.selectNodeContents(place);
      return (place.matches('path') ? place : range).getBoundingClientRect().left;
    })`;
    const [text = 0, title, cell, heading = 0, bar = 0] = await measure<readonly number[]>(
      card,
      1400,
      places,
    );
    expect([title, cell]).toEqual([text, text]);
    expect(Math.abs(bar - heading)).toBeLessThan(8);
  });

  test('a label stands nearer to its value than to the value before it, on a phone', async () => {
    const facts = html`<dl class="facts"><dt>Period</dt><dd>this</dd><dt>Account</dt><dd>all</dd></dl>`;
    const gaps = `(() => {
      const [, before, label, value] = [...document.querySelectorAll('.facts > *')].map(each => each.getBoundingClientRect());
      return [label.top - before.bottom, value.top - label.bottom];
    })()`;
    const [before = 0, after = 0] = await measure<readonly number[]>(facts, 390, gaps);
    expect(before).toBeGreaterThan(after + 4);
  });
});
