import { renderToString } from 'preact-render-to-string';
import { expect, test } from 'vitest';
import { drawChart } from '../../../src/console/part/chart/chart.ts';
import type { Chart, Lane } from '../../../src/console/part/chart/declaration.ts';
import { chartSteps, timeSlices, timeTicks } from '../../../src/console/part/chart/step.ts';
import { waterfall } from '../../../src/console/part/chart/waterfall.ts';

const day = 24 * 60 * 60 * 1000;
const from = Date.UTC(2026, 10, 20);
const written = Array.from({ length: 4 }, (_, index) => ({
  label: new Date(from + index * day).toISOString().slice(0, 10),
  from: new Date(from + index * day).toISOString(),
  until: new Date(from + (index + 1) * day).toISOString(),
}));
/** Two days that are over, one that is not, and one to come. */
const steps = chartSteps(written, 'day', from + 2.5 * day, ({ label }) => `/cost?period=${label}`);

function draw(chart: Partial<Chart>): string {
  const given = { id: 'any', label: 'Cost by day', steps, stepNoun: 'day', ...chart };
  return renderToString(drawChart({ show: text => `$${text}`, showTick: text => `$${text}`, ...given }));
}

/** What is read of each step, as text. */
function readingsOf(text: string): readonly string[] {
  const [, readings = ''] = /<ol class="readings"[^>]*>(.*?)<\/ol>/.exec(text) ?? [];
  return readings.split('</li>').flatMap(
    each =>
      each
        .replaceAll(/<[^>]*>/g, ' ')
        .replaceAll(/ +/g, ' ')
        .trim() || [],
  );
}

test('each day leads to its page and has all of its values, and the running one says that it goes on', () => {
  const text = draw({
    series: [
      { kind: 'bars', name: 'web', tone: 1, values: ['4', '2', '1', null] },
      { kind: 'bars', name: 'data', tone: 2, values: ['6', null, '1', null] },
      { kind: 'bars', name: 'expected', isExpected: true, values: [null, null, null, '9'] },
    ],
    totals: ['10', '2', '2', null],
    limits: [{ name: 'pace $8', value: '8' }],
  });
  expect(readingsOf(text)).toEqual([
    'Fri 20 Nov $10 data $6 web $4 pace $8',
    'Sat 21 Nov $2 web $2 pace $8',
    'Sun 22 Nov today, so far $2 data $1 web $1 pace $8',
    'Mon 23 Nov to come expected $9 pace $8',
  ]);
  expect(text.match(/<a class="day[^"]*" href="\/cost\?period=[^"]*"/g)).toHaveLength(3);
  expect(text).toContain('>today</text>');
  expect(text).toMatch(/<ul class="key">.*<\/svg>today, so far<\/li><\/ul>/);
  expect(text.match(/class="unfinished"/g)).toHaveLength(1);
  expect(text.match(/class="expected"/g)).toHaveLength(1);
  // 10 of 10 from the ground, in thousandths of the height: 6 upon 4.
  expect(text).toContain('<rect x="30" width="190" y="600" height="400">');
  expect(text).toContain('<rect x="30" width="190" y="0" height="600">');
  expect(text).toContain('<td>Fri 20 Nov</td><td class="number">$4</td><td class="number">$6</td>');
  expect(text).not.toContain('style=');
});

test('lines are named in the legend, and no words stand on what is drawn', () => {
  const text = draw({
    series: [{ kind: 'bars', name: 'web', values: ['10', '5', null, null] }],
    limits: [
      { name: 'budget, $8 a day', value: '8' },
      { name: 'expected, $9 a day', value: '9', expectedFromAt: from + 2.5 * day },
    ],
    annotations: [{ at: from + day, words: '21 Nov: an hour costs $2, before $1' }],
  });
  const [, legend = ''] = /<ul class="key">(.*?)<\/ul>/.exec(text) ?? [];
  expect(
    [...legend.matchAll(/<path class="(\w+)"[^>]*><\/path><\/svg>([^<]*)/g)].map(each => each.slice(1)),
  ).toEqual([
    ['lim', 'budget, $8 a day'],
    ['fc', 'expected, $9 a day'],
    ['note', '21 Nov: an hour costs $2, before $1'],
  ]);
  const [, drawing = ''] = /<svg class="drawing"(.*?)<ol/s.exec(text) ?? [];
  expect(drawing).toContain('<line class="lim"');
  expect(drawing).toContain('<line class="note" x1="25%" x2="25%" y2="100%">');
  expect(drawing).not.toContain('<text');
});

test('what is negative hangs below the ground, and the scale has room for it', () => {
  const text = draw({ series: [{ kind: 'bars', name: 'web', values: ['10', '-5', null, null] }] });
  expect(text).toContain('<rect x="30" width="190" y="0" height="666.67">');
  expect(text).toContain('<rect x="280" width="190" y="666.67" height="333.33">');
});

test('what was measured is read of every day until now, and what is expected at its end alone', () => {
  const text = draw({
    series: [
      {
        kind: 'line',
        look: 'expected',
        name: 'expected',
        points: [
          { at: from + 2.5 * day, value: '5' },
          { at: from + 4 * day, value: '9' },
        ],
      },
      {
        kind: 'line',
        look: 'measured',
        name: 'spent',
        points: [
          { at: from, value: '0' },
          { at: from + day, value: '3' },
          { at: from + 2.5 * day, value: '5' },
        ],
      },
    ],
  });
  expect(readingsOf(text)).toEqual([
    'Fri 20 Nov spent $3',
    'Sat 21 Nov spent $3',
    'Sun 22 Nov today, so far spent $5 expected $5',
    'Mon 23 Nov to come expected $9',
  ]);
});

test('a lane is drawn from when there was such a thing, and each slice says what it was', () => {
  const lane: Lane = {
    name: 'ep-1',
    life: { fromAt: from + day, untilAt: from + 4 * day },
    spans: [{ fromAt: from + 2 * day, untilAt: from + 3 * day, kind: 'unknown', words: 'not known' }],
    marks: [{ kind: 'failed', fromAt: from + 3 * day, untilAt: from + 3 * day }],
    said: ['', 'asleep', 'not known', 'asleep, 1 failed operation'],
  };
  const slices = timeSlices(from, from + 4 * day, 4, () => undefined);
  const text = draw({ steps: slices, lanes: [lane], ticks: timeTicks(from, from + 4 * day) });
  expect(text).toContain('<rect class="fsu" x="25%" width="75%"');
  expect(text).toContain('<rect fill="url(#hm)" x="50%" width="25%"');
  expect(readingsOf(text)[0]).toBe('Fri 20 Nov, 00:00 to Sat 21 Nov, 00:00 there was no endpoint');
  expect(readingsOf(text)[3]).toContain('asleep, 1 failed operation');
  expect([...text.matchAll(/>(\d+ Nov)<\/text>/g)].map(([, tick]) => tick)).toEqual([
    ...['20 Nov', '21 Nov', '22 Nov', '23 Nov', '24 Nov'],
  ]);
});

test('words of a stretch stand in its widest part that no line crosses, and those of what is stuck above its lane', () => {
  const at = (days: number) => from + days * day;
  const lane: Lane = {
    name: 'ep-1',
    life: { fromAt: from, untilAt: at(4) },
    spans: [
      { fromAt: from, untilAt: at(2), kind: 'asleep', words: 'asleep 2 d' },
      { fromAt: at(2), untilAt: at(4), kind: 'awake', words: 'awake 2 d' },
    ],
    stuck: [
      { fromAt: at(3.2), untilAt: at(4), words: 'apply_config stuck' },
      { fromAt: at(2.5), untilAt: at(4), words: 'suspend_compute stuck' },
    ],
    marks: [],
    said: ['asleep', 'asleep', 'awake', 'awake'],
  };
  const slices = timeSlices(from, at(4), 4, () => undefined);
  const text = draw({ steps: slices, lanes: [lane], annotations: [{ at: at(0.4), words: 'began' }] });
  expect(text.match(/<foreignObject.*?<\/foreignObject>/g)).toEqual([
    '<foreignObject x="10%" width="40%" y="26" height="24"><p class="words"><span>asleep 2 d</span></p></foreignObject>',
    '<foreignObject x="80%" width="20%" y="26" height="24"><p class="words on"><span>awake 2 d</span></p></foreignObject>',
  ]);
  expect(text.match(/<text[^>]*>[^<]*stuck[^<]*<\/text>/g)).toEqual([
    '<text class="kc wd e" x="62.5%" y="11">suspend_compute stuck and 1 more</text>',
  ]);
  expect(readingsOf(text).slice(1)).toEqual([
    'Sat 21 Nov, 00:00 to Sun 22 Nov, 00:00 asleep',
    'Sun 22 Nov, 00:00 to Mon 23 Nov, 00:00 awake, suspend_compute stuck',
    'Mon 23 Nov, 00:00 to Tue 24 Nov, 00:00 awake, apply_config stuck, suspend_compute stuck',
  ]);
});

test('slices and ticks of a stretch of time are round', () => {
  const lengthOf = (ms: number) => {
    const [first] = timeSlices(from, from + ms, 96, () => undefined);
    return ((first?.untilAt ?? 0) - from) / (day / 24);
  };
  expect([1, 6, 24, 7 * 24, 30 * 24, 90 * 24].map(hours => lengthOf((hours * day) / 24))).toEqual([
    1 / 60,
    ...[1 / 12, 0.25, 2, 12, 24],
  ]);
  expect(timeTicks(from + 1, from + day).map(({ text }) => text)).toEqual([
    '03:00',
    '06:00',
    '09:00',
    '12:00',
    '15:00',
    '18:00',
    '21:00',
    '21 Nov',
  ]);
});

test('a waterfall ends where its changes lead, and does not hide that its scale is broken', () => {
  const rows = [
    { amount: 1000, isSum: true },
    { amount: 150 },
    { amount: -50 },
    { amount: 1100, isSum: true },
  ];
  const { head, cells } = waterfall(rows, text => `$${text}`);
  expect([...renderToString(head).matchAll(/>(\$\d+)</g)].map(([, tick]) => tick)).toEqual([
    '$950',
    '$1000',
    '$1050',
    '$1100',
  ]);
  const drawn = cells.map(each =>
    /<rect class="(\w+)" x="([\d.]+)%" width="([\d.]+)%"/.exec(renderToString(each)),
  );
  expect(drawn.map(found => found?.slice(1))).toEqual([
    ['fm', '0', '25'],
    ['fd', '25', '75'],
    ['fg', '75', '25'],
    ['fm', '0', '75'],
  ]);
  expect(cells.filter(each => renderToString(each).includes('class="tear"'))).toHaveLength(2);
});
