import type { Box } from './cost-panel.ts';
import type { PictureData, StateSlot } from './picture-data.ts';
import { band, element, label, type Point, path, scaleOf } from './svg.ts';

const inset = { left: 40, right: 62, top: 46, bottom: 28 };
/** From the bottom up; what is in none of these states is too short to be seen. */
const states = ['active', 'idle', 'stopped'] as const;
const slotsTaken = 6;
const hourMs = 3_600_000;

/** Endpoints by state over the last two days, half an hour on average. */
export function drawStatePanel({ slots, stepMs }: PictureData, box: Box): string {
  const averages = averageStates(slots, stepMs);
  const last = averages.at(-1);
  const total = (at: (typeof averages)[number]) =>
    states.reduce((sum, state) => sum + (at.counts.get(state) ?? 0), 0);
  const most = Math.max(...averages.map(total));
  const [firstAt, lastAt] = [averages[0]?.at ?? 0, last?.at ?? 1];
  const x = scaleOf([firstAt, lastAt], [box.x + inset.left, box.x + box.width - inset.right]);
  const y = scaleOf([0, most], [box.y + box.height - inset.bottom, box.y + inset.top]);
  const below = new Map<number, number>();
  const surfaces = states.map(state => {
    const lower: Point[] = [];
    const upper: Point[] = [];
    for (const { at, counts } of averages) {
      const from = below.get(at) ?? 0;
      const until = from + (counts.get(state) ?? 0);
      lower.push([x(at), y(from)]);
      upper.push([x(at), y(until)]);
      below.set(at, until);
    }
    const middle = ((upper.at(-1)?.[1] ?? 0) + (lower.at(-1)?.[1] ?? 0)) / 2;
    const isThin = Math.abs((upper.at(-1)?.[1] ?? 0) - (lower.at(-1)?.[1] ?? 0)) < 6;
    const name = isThin ? [] : [label(x(lastAt) + 8, middle + 4, state, { class: 'strong' })];
    return [band(upper, lower, { class: `state-${state}` }), ...name].join('');
  });
  const ticks = Array.from({ length: 5 }, (_, index) => lastAt - (4 - index) * 12 * hourMs).filter(
    at => at >= firstAt,
  );
  const counts = [0, 20, 40].filter(count => count < most);
  return [
    element('rect', { ...box, rx: 8, class: 'panel' }),
    label(box.x + 18, box.y + 28, 'Endpoints by state, last two days', { class: 'title' }),
    element('g', { 'data-metric': 'dbpm_endpoint_state_seconds_total' }, ...surfaces),
    ...counts.map(count =>
      path(
        [
          [x(firstAt), y(count)],
          [x(lastAt), y(count)],
        ],
        { class: 'grid' },
      ),
    ),
    ...counts.map(count =>
      label(x(firstAt) - 8, y(count) + 4, String(count), { class: 'axis', 'text-anchor': 'end' }),
    ),
    ...ticks.map(at =>
      label(x(at), box.y + box.height - 10, hourOf(at), { class: 'axis', 'text-anchor': 'middle' }),
    ),
  ].join('\n');
}

/** Endpoints in each state, on average over some slots. */
function averageStates(slots: readonly StateSlot[], stepMs: number) {
  const averages: { readonly at: number; readonly counts: ReadonlyMap<string, number> }[] = [];
  for (let first = 0; first + slotsTaken <= slots.length; first += slotsTaken) {
    const taken = slots.slice(first, first + slotsTaken);
    const counts = new Map<string, number>();
    for (const { seconds } of taken) {
      for (const [series, spent] of seconds) {
        const state = series.split(' ')[1] ?? '';
        counts.set(state, (counts.get(state) ?? 0) + spent / ((stepMs / 1000) * slotsTaken));
      }
    }
    averages.push({ at: taken.at(-1)?.untilAt ?? 0, counts });
  }
  return averages;
}

function hourOf(at: number): string {
  return `${new Date(at).toISOString().slice(11, 16)}`;
}
