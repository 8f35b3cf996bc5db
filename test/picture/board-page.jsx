// A board, by the panels that Grafana publishes for plugins: `board-picture.ts` bundles this for the browser.
import {
  dateTimeFormat,
  getFieldDisplayValues,
  getValueFormat,
  rangeUtil,
  renderMarkdown,
} from '@grafana/data';
import {
  BigValue,
  GlobalStyles,
  PanelChrome,
  ThemeContext,
  TimeSeries,
  VizLegend,
  VizRepeater,
} from '@grafana/ui';
import { TableNG } from '@grafana/ui/unstable';
import { createRoot } from 'react-dom/client';
import { framesOf, theme, timeZone } from './board-frame.js';

const gap = 8;
const unitHeight = 30;
const columns = 24;
const headHeight = 56;

function Stat({ panel: { options, fieldConfig }, frames: data, width, height }) {
  const { reduceOptions, ...look } = options;
  const replaceVariables = text => text;
  return (
    <VizRepeater
      getValues={() =>
        getFieldDisplayValues({ data, fieldConfig, reduceOptions, replaceVariables, theme, timeZone })
      }
      renderValue={({ value, orientation: _, alignmentFactors: __, ...size }) => (
        <BigValue {...look} {...size} value={value.display} theme={theme} />
      )}
      {...{ width, height }}
      source={data}
      orientation="auto"
      autoGrid
    />
  );
}

function Lines({ panel: { options }, frames, width, height, range: timeRange }) {
  return <TimeSeries {...{ frames, timeRange, timeZone, width, height, options }} legend={options.legend} />;
}

function Rows({ panel: { options, fieldConfig }, frames: [data], width, height }) {
  const { sortBy, cellHeight } = options;
  return (
    <TableNG {...{ data, width, height, sortBy, cellHeight, fieldConfig }} enableVirtualization={false} />
  );
}

/** Grafana publishes no state timeline: this one is drawn in its colours. */
function Timeline({ frames, width, height, range }) {
  const legend = new Map();
  const lanes = frames.map(({ fields: [{ values: times }, field] }) => {
    const stretches = [];
    for (const [index, value] of field.values.entries()) {
      if (value === null) continue;
      const { label, color } = stretchOf(field, value);
      const [from, until] = [times[index], times[index + 1] ?? range.to];
      const last = stretches.at(-1);
      if (last?.label === label && last.until === from) last.until = until;
      else stretches.push({ label, color, from, until });
      legend.set(label, { label, color, yAxis: 1 });
    }
    return { name: field.state.displayName, stretches };
  });
  const nameWidth = 0.3 * width;
  const laneHeight = (height - 60) / lanes.length;
  const x = at => nameWidth + ((at - range.from) / (range.to - range.from)) * (width - nameWidth);
  const bar = { position: 'absolute', top: 0.1 * laneHeight, height: 0.8 * laneHeight };
  const ticks = [0, 1, 2, 3].map(part => range.from + (part * (range.to - range.from)) / 4);
  return (
    <div style={{ fontSize: 12 }}>
      {lanes.map(({ name, stretches }) => (
        <div key={name} style={{ position: 'relative', height: laneHeight }}>
          <div style={{ width: nameWidth, lineHeight: `${laneHeight}px`, overflow: 'hidden' }}>{name}</div>
          {stretches.map(({ color, from, until }) => (
            <div key={from} style={{ ...bar, left: x(from), width: x(until) - x(from), background: color }} />
          ))}
        </div>
      ))}
      <div style={{ position: 'relative', height: 30 }}>
        {ticks.map(at => (
          <span key={at} style={{ position: 'absolute', left: x(at) }}>
            {dateTimeFormat(at, { timeZone, format: 'MM/DD HH:mm' })}
          </span>
        ))}
      </div>
      <VizLegend items={[...legend.values()]} displayMode="list" placement="bottom" />
    </div>
  );
}

/** By the word of a value, or by its threshold. */
function stretchOf({ display, config: { mappings, thresholds, unit, decimals } }, value) {
  const { text: label, color } = display(value);
  if (mappings?.length) return { label, color };
  const { steps } = thresholds;
  const index = steps.findLastIndex(step => value >= step.value);
  const bound = getValueFormat(unit)(steps[Math.max(index, 1)].value, decimals);
  return {
    label: `${index < 1 ? '< ' : ''}${bound.text}${bound.suffix ?? ''}${index < 1 ? '' : '+'}`,
    color,
  };
}

function Text({ panel: { options } }) {
  const __html = renderMarkdown(options.content);
  return <div className="markdown-html" dangerouslySetInnerHTML={{ __html }} />;
}

const drawings = { stat: Stat, timeseries: Lines, table: Rows, 'state-timeline': Timeline, text: Text };

function Panel({ panel, frames, width, height, range }) {
  const { type, title, description, collapsed, panels, timeFrom } = panel;
  if (type === 'row')
    return (
      <h5 style={{ lineHeight: `${height}px` }}>
        {collapsed ? '▸' : '▾'} {title} {collapsed && <small>({panels.length} panels)</small>}
      </h5>
    );
  const isEmpty = type !== 'text' && type !== 'stat' && frames.every(({ length }) => length === 0);
  const Drawing = isEmpty ? () => <center>{panel.fieldConfig.defaults.noValue}</center> : drawings[type];
  return (
    <PanelChrome
      {...{ title, description, width, height }}
      titleItems={timeFrom && rangeUtil.describeTimeRange(lastOf(timeFrom))}
    >
      {(innerWidth, innerHeight) => (
        <Drawing {...{ panel, frames, range }} width={innerWidth} height={innerHeight} />
      )}
    </PanelChrome>
  );
}

const lastOf = duration => ({ from: `now-${duration}`, to: 'now' });

function placed(panel) {
  const unit = (innerWidth - gap) / columns;
  const { x, y, w, h } = panel.gridPos;
  const [top, height] = [y, h].map(units => units * (unitHeight + gap));
  return { panel, left: x * unit + gap, top, width: Math.floor(w * unit - gap), height: height - gap };
}

/**
 * Draws a board below a line that says what is chosen.
 *
 * @param values what stands for each of its variables in queries.
 * @param chosen what is chosen besides all, by the name of the variable.
 * @returns where its rows end, in pixels.
 */
globalThis.drawBoard = async (board, values, chosen) => {
  const { time, templating } = board;
  const variables = templating.list.filter(({ type, hide }) => type === 'query' && !hide);
  const root = createRoot(document.querySelector('main'));
  const draw = content =>
    root.render(
      <ThemeContext.Provider value={theme}>
        <GlobalStyles />
        {content}
      </ThemeContext.Provider>,
    );
  draw();
  const drawn = await Promise.all(
    board.panels.map(async panel => {
      const place = placed(panel);
      const range = rangeUtil.convertRawToRange(panel.timeFrom ? lastOf(panel.timeFrom) : time, timeZone);
      const frames = panel.targets ? await framesOf(panel, values, range, place.width) : [];
      return { ...place, range, frames };
    }),
  );
  const height = Math.max(...drawn.map(place => place.top + place.height)) + gap;
  // Lines are laid out by the width of their labels.
  await Promise.all([400, 500].map(weight => document.fonts.load(`${weight} 12px Inter`)));
  draw(
    <>
      <div style={{ display: 'flex', gap: 24, height: headHeight, padding: 16, alignItems: 'baseline' }}>
        <h4>{board.title}</h4>
        {variables.map(({ name, label }) => (
          <span key={name}>
            {label}: {chosen[name] ?? 'All'}
          </span>
        ))}
        <span>{rangeUtil.describeTimeRange(time)}</span>
      </div>
      <div style={{ position: 'relative', height }}>
        {drawn.map(({ left, top, ...place }) => (
          <div key={place.panel.id} style={{ position: 'absolute', left, top }}>
            <Panel {...place} />
          </div>
        ))}
      </div>
    </>,
  );
  const rows = drawn.filter(({ panel }) => panel.type === 'row').map(({ top }) => top);
  return [...rows, height].map(end => headHeight + end);
};
