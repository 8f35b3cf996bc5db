import { drawCostPanel } from './cost-panel.ts';
import { drawFindingPanel } from './finding-panel.ts';
import { type PictureData, readPictureData } from './picture-data.ts';
import type { RecordedDemo } from './recorded-demo.ts';
import { drawStatePanel } from './state-panel.ts';
import { element, label } from './svg.ts';
import { drawTiles } from './tile.ts';

const width = 1120;
const margin = 24;
const inner = width - 2 * margin;

const light = {
  paper: '#f4f6f9',
  panel: '#ffffff',
  edge: '#dde3ea',
  ink: '#1d2733',
  muted: '#5b6875',
  grid: '#e4e9ef',
  accent: '#2b6cd4',
  bad: '#c8323c',
  warn: '#b26400',
  team0: '#3b7ddd',
  team1: '#6a9fe8',
  team2: '#9bbff0',
  team3: '#c6dbf7',
  active: '#e8912d',
  idle: '#c9d3de',
  stopped: '#94a3b3',
};
const dark: typeof light = {
  paper: '#0e131a',
  panel: '#161d27',
  edge: '#27313d',
  ink: '#e6ecf3',
  muted: '#96a4b4',
  grid: '#27313d',
  accent: '#7db1ff',
  bad: '#ff7a80',
  warn: '#f0b35e',
  team0: '#2f66b5',
  team1: '#28559a',
  team2: '#22477f',
  team3: '#1c3964',
  active: '#e8912d',
  idle: '#36424f',
  stopped: '#56657a',
};

/** The picture of the README: one look at what the product gives, as SVG. */
export async function drawPicture(demo: RecordedDemo): Promise<string> {
  return renderPicture(await readPictureData(demo));
}

function renderPicture(data: PictureData): string {
  const tileTop = 60;
  const chartTop = tileTop + 86;
  const chart = { y: chartTop, height: 246 };
  const split = 640;
  const findingTop = chartTop + chart.height + 14;
  const finding = { x: margin, y: findingTop, width: inner, height: 276 };
  const height = findingTop + finding.height + margin;
  const instant = new Date(data.at).toISOString().slice(0, 16).replace('T', ' ');
  const projects = data.samples.filter(({ name }) => name === 'dbpm_project_info').length;
  return `${element(
    'svg',
    {
      xmlns: 'http://www.w3.org/2000/svg',
      viewBox: `0 0 ${width} ${height}`,
      role: 'img',
      'aria-labelledby': 'picture-title',
    },
    '\n<title id="picture-title">Endpoints, failures, API keys, cost with its forecast, and why endpoints never sleep: the demo of dbpm-exporter</title>\n',
    `<style>${styleSheet()}</style>\n`,
    element('rect', { width, height, rx: 14, class: 'paper' }),
    label(margin + 2, 40, `A fleet of ${projects} projects, seen by dbpm-exporter`, { class: 'heading' }),
    label(width - margin - 2, 40, `npm run demo · ${instant} UTC`, {
      class: 'mono muted',
      'text-anchor': 'end',
    }),
    '\n',
    drawTiles(data, { x: margin, y: tileTop, width: inner }),
    '\n',
    drawCostPanel(data, { x: margin, width: split, ...chart }),
    '\n',
    drawStatePanel(data, { x: margin + split + 14, width: inner - split - 14, ...chart }),
    '\n',
    drawFindingPanel(data, finding),
    '\n',
  )}\n`;
}

function styleSheet(): string {
  const variables = (colours: typeof light) =>
    Object.entries(colours)
      .map(([name, colour]) => `--${name}:${colour}`)
      .join(';');
  return [
    `svg{${variables(light)};font-family:system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif;font-size:13px}`,
    `@media (prefers-color-scheme:dark){svg{${variables(dark)}}}`,
    'text{fill:var(--ink)}.paper{fill:var(--paper)}.panel{fill:var(--panel);stroke:var(--edge)}',
    '.heading{font-size:20px;font-weight:650}.title{font-size:14px;font-weight:600}.figure{font-size:25px;font-weight:650}',
    '.muted,.axis{fill:var(--muted)}.axis{font-size:11px}.small{font-size:12px}.strong{font-weight:600}.accent{fill:var(--accent)}',
    '.mono{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;font-size:12px}',
    'text.calm{fill:var(--ink)}text.warn{fill:var(--warn)}text.bad{fill:var(--bad)}',
    '.grid{stroke:var(--grid);fill:none}.team0{fill:var(--team0)}.team1{fill:var(--team1)}.team2{fill:var(--team2)}.team3{fill:var(--team3)}',
    '.fan95{fill:var(--accent);opacity:.18}.fan80{fill:var(--accent);opacity:.3}',
    '.expected{stroke:var(--accent);stroke-width:2;stroke-dasharray:5 4;fill:none}.now{fill:var(--accent)}',
    '.budget{stroke:var(--bad);stroke-width:1.5;fill:none}.cross{fill:var(--panel);stroke:var(--bad);stroke-width:2}',
    '.state-active,.awake{fill:var(--active)}.state-idle{fill:var(--idle)}.state-stopped{fill:var(--stopped)}',
  ].join('\n');
}
