import { html, type Markup } from '../html.ts';
import type { Chart, ChartSeries } from './declaration.ts';
import { fillOf } from './series.ts';
import { sayPart } from './step.ts';

/** What the colours, shapes and lines mean, whose names would cover what is drawn; a script makes entries switch their series. */
export function drawLegend(chart: Chart): Markup | null {
  const { series = [], limits = [], annotations = [], steps, lanes = [], unread } = chart;
  const parts = steps.flatMap(step => sayPart(step) ?? []);
  const entries = [
    ...series.map((each, index) => drawEntry(each, index)).reverse(),
    ...limits.map(({ name, expectedFromAt: at }) =>
      entry(html`<path class=${at === undefined ? 'lim' : 'fc'} d="M1 5h14" />`, name),
    ),
    ...(series.some(({ kind }) => kind === 'bars') && parts.length > 0
      ? [
          entry(
            html`<rect class="fd" x="3" width="10" height="10" rx="2" /><rect x="3" width="10" height="10" rx="2" fill="url(#hl)" />`,
            parts.join(' · '),
          ),
        ]
      : []),
    ...(unread === undefined ? [] : [unknownEntry]),
    ...(lanes.length > 0 ? laneEntries(lanes) : []),
    ...annotations.map(({ words }) => entry(html`<path class="note" d="M8-2v14" />`, words)),
  ];
  return entries.length < 2 ? null : html`<ul class="key">${entries}</ul>`;
}

function drawEntry(series: ChartSeries, index: number): Markup {
  const { name, href } = series;
  return html`<li data-key=${index}>${swatch(series)}${href === undefined ? name : html`<a href=${href}>${name}</a>`}</li>`;
}

/** The look of a series in small. */
export function swatch(series: ChartSeries): Markup {
  return html`<svg viewBox="0 0 16 10" aria-hidden="true">${shapeOf(series)}</svg>`;
}

function shapeOf(series: ChartSeries): Markup {
  switch (series.kind) {
    case 'bars':
      return series.isExpected
        ? html`<rect fill="url(#hx)" x="3" width="10" height="10" rx="2" />`
        : html`<rect class=${fillOf(series)} x="3" width="10" height="10" rx="2" />`;
    case 'band':
      return html`<rect class="bnd" width="16" height="10" />`;
    case 'line':
      return html`<path class=${{ measured: 'ln', expected: 'fc' }[series.look]} d="M1 5h14" />`;
  }
}

function entry(shape: Markup, words: string): Markup {
  return html`<li><svg viewBox="0 0 16 10" aria-hidden="true">${shape}</svg>${words}</li>`;
}

const unknownEntry = entry(html`<rect fill="url(#hm)" width="16" height="10" />`, 'not known');

function laneEntries(lanes: NonNullable<Chart['lanes']>): readonly Markup[] {
  const has = (kind: string) => lanes.some(({ marks }) => marks.some(mark => mark.kind === kind));
  const isUnknown = lanes.some(
    ({ spans, columns }) =>
      spans?.some(({ kind }) => kind === 'unknown') || columns?.unknown.some(share => share > 50),
  );
  return [
    entry(html`<rect class="fd" width="16" height="10" />`, 'awake'),
    entry(html`<rect class="fsu" width="16" height="10" />`, 'asleep'),
    ...(isUnknown ? [unknownEntry] : []),
    ...(has('failed') ? [entry(html`<path class="fw" d="M8 0l6 10H2z" />`, 'failed operation')] : []),
    ...(has('other') ? [entry(html`<path class="fm" d="M8 1l4 4-4 4-4-4z" />`, 'other operation')] : []),
    ...(lanes.some(({ stuck }) => stuck?.length)
      ? [
          entry(
            html`<rect fill="url(#hk)" y="2" width="16" height="6" />`,
            lanes.find(({ stuckNoun }) => stuckNoun)?.stuckNoun ?? 'stuck',
          ),
        ]
      : []),
  ];
}
