import type { Sample } from '../support/exposition-reader.ts';
import type { Box } from './cost-panel.ts';
import type { PictureData, StateSlot } from './picture-data.ts';
import { element, label, path, round, scaleOf } from './svg.ts';

const rowHeight = 25;
const barHeight = 17;
const nameWidth = 158;
const reasonWidth = 284;
const dayMs = 86_400_000;
const hourMs = 3_600_000;
/** A wake of a minute is a bar that can still be seen. */
const leastShare = 0.25;

interface Row {
  readonly project: string;
  readonly endpoint_id: string;
  readonly finding: string;
  readonly cost: number;
}

/** When the endpoints with the dearest findings were awake in the last day, and what following each would save. */
export function drawFindingPanel({ samples, slots, stepMs, at }: PictureData, box: Box): string {
  const rows = readRows(samples).slice(0, Math.floor((box.height - 76) / rowHeight));
  const left = box.x + 18 + nameWidth;
  const x = scaleOf([at - dayMs, at], [left, box.x + box.width - reasonWidth]);
  const day = slots.filter(({ untilAt }) => untilAt > at - dayMs);
  const top = box.y + 44;
  const ticks = [24, 18, 12, 6, 0].map(hours => at - hours * hourMs);
  const bottom = top + rows.length * rowHeight;
  return [
    element('rect', { ...box, rx: 8, class: 'panel' }),
    label(
      box.x + 18,
      box.y + 28,
      'Why it never sleeps: when endpoints were awake, what for, and what a change saves',
      { class: 'title' },
    ),
    ...ticks.map(tick =>
      path(
        [
          [x(tick), top],
          [x(tick), bottom],
        ],
        { class: 'grid' },
      ),
    ),
    ...rows.map((row, index) =>
      drawRow(row, {
        y: top + index * rowHeight,
        day,
        x,
        stepMs,
        right: box.x + box.width - reasonWidth + 16,
        left: box.x + 18,
      }),
    ),
    ...ticks.map(tick =>
      label(x(tick), bottom + 17, new Date(tick).toISOString().slice(11, 16), {
        class: 'axis',
        'text-anchor': 'middle',
      }),
    ),
  ].join('\n');
}

interface Place {
  readonly y: number;
  readonly left: number;
  readonly right: number;
  readonly day: readonly StateSlot[];
  readonly x: (at: number) => number;
  readonly stepMs: number;
}

function drawRow(
  { project, endpoint_id, finding, cost }: Row,
  { y, left, right, day, x, stepMs }: Place,
): string {
  const bars = day.flatMap(({ untilAt, seconds }) => {
    const share = (seconds.get(`${endpoint_id} active`) ?? 0) / (stepMs / 1000);
    if (share < 0.01) return [];
    const bottom = y + 4 + barHeight;
    const top = bottom - barHeight * Math.min(1, Math.max(share, leastShare));
    return `M${round(x(untilAt - stepMs))} ${round(bottom)}V${round(top)}H${round(x(untilAt))}V${round(bottom)}Z`;
  });
  return element(
    'g',
    { 'data-metric': 'dbpm_endpoint_finding_cost_per_month' },
    label(left, y + 17, project, { class: 'name' }),
    element('path', { d: bars.join(''), class: 'awake' }),
    label(right, y + 17, finding, { class: 'mono' }),
    label(right + reasonWidth - 34, y + 17, `$${Math.round(cost)} a month`, {
      class: 'strong',
      'text-anchor': 'end',
    }),
  );
}

/** One row for each endpoint with a finding, the dearest first; of a project the dearest endpoint alone. */
function readRows(samples: readonly Sample[]): readonly Row[] {
  const names = new Map(
    samples
      .filter(({ name }) => name === 'dbpm_project_info')
      .map(({ labels }) => [labels.project_id, labels.project_name ?? '']),
  );
  const isCost = ({ name }: Sample) => name === 'dbpm_endpoint_finding_cost_per_month';
  const rows = samples
    .filter(isCost)
    .map(({ labels: { project_id, endpoint_id = '', finding = '' }, value: cost }) => ({
      ...{ project: names.get(project_id) ?? '', endpoint_id, finding, cost },
    }))
    .sort((a, b) => b.cost - a.cost);
  return rows.filter((row, index) => rows.findIndex(({ project }) => project === row.project) === index);
}
