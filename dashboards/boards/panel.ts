import type { Builder } from '@grafana/grafana-foundation-sdk/cog';
import * as common from '@grafana/grafana-foundation-sdk/common';
import * as dashboard from '@grafana/grafana-foundation-sdk/dashboard';
import { DataqueryBuilder, PromQueryFormat } from '@grafana/grafana-foundation-sdk/prometheus';
import * as statPanel from '@grafana/grafana-foundation-sdk/stat';
import * as timelinePanel from '@grafana/grafana-foundation-sdk/statetimeline';
import * as timeseriesPanel from '@grafana/grafana-foundation-sdk/timeseries';
import type { Fault } from './fault.ts';
import type { DrillDown } from './link.ts';
import { type Bands, count, plain, projectAgeBands, roundMoney, toThresholds } from './look.ts';
import { type DrawnSeries, drawSeries, nameSeries, type Query, type SeriesBuilder } from './series.ts';

export const datasource = { type: 'prometheus', uid: '$' + '{datasource}' };

/** The least step between points: as long as a usual scrape interval, so that no sample is drawn twice. */
const leastStep = '30s';

/** A panel of a board, not yet placed. */
export interface BoardPanel {
  readonly panel: Readonly<dashboard.Panel>;
  /** Set where the panel is empty on a healthy fleet. */
  readonly filledBy?: Fault;
}

/** Defaults of the panels of a kind; `width` of 24 columns. */
interface Size {
  readonly width: number;
  readonly height: number;
}

/** The text on and around every panel; `unit` by Grafana's name of it, absent for a count. */
export interface PanelText extends Partial<Size> {
  readonly title: string;
  readonly description: string;
  readonly unit?: string;
  readonly decimals?: number;
  readonly isMoney?: boolean;
  readonly mappings?: dashboard.ValueMapping[];
  readonly links?: readonly DrillDown[];
  readonly noValue?: string;
  readonly filledBy?: Fault;
}

/** A panel that draws several queries. */
interface Drawn extends PanelText, DrawnSeries {}

interface AnyPanelBuilder extends Builder<dashboard.Panel>, SeriesBuilder {
  title(text: string): this;
  description(text: string): this;
  unit(name: string): this;
  decimals(count: number): this;
  mappings(mappings: dashboard.ValueMapping[]): this;
  dataLinks(links: Builder<dashboard.DashboardLink>[]): this;
  noValue(text: string): this;
  span(width: number): this;
  height(height: number): this;
  interval(step: string): this;
  datasource(reference: common.DataSourceRef): this;
}

const half: Size = { width: 12, height: 9 };

/** Completes a panel with the parts that all of them have. */
export function finishPanel(builder: AnyPanelBuilder, text: PanelText, usual: Size = half): BoardPanel {
  const { filledBy } = text;
  builder
    .title(text.title)
    .description(text.description)
    .unit(text.unit ?? count)
    .noValue(text.noValue ?? (filledBy ? 'none' : 'no data'))
    .span(text.width ?? usual.width)
    .height(text.height ?? usual.height)
    .interval(leastStep)
    .datasource(datasource)
    .dataLinks(
      (text.links ?? []).map(({ title, url }) => new dashboard.DashboardLinkBuilder(title).url(url)),
    );
  if (text.decimals !== undefined) builder.decimals(text.decimals);
  if (text.mappings) builder.mappings(text.mappings);
  return { panel: builder.build(), ...(filledBy && { filledBy }) };
}

/** A query whose value now is wanted. */
export function instantQuery(expression: string, refId: string, format = PromQueryFormat.TimeSeries) {
  return new DataqueryBuilder().expr(expression).refId(refId).instant().format(format).datasource(datasource);
}

function rangeQueries({ queries, isMoney }: Drawn) {
  return queries.map((query, index) =>
    new DataqueryBuilder()
      .expr(expressionOf(query, isMoney))
      .refId(refIdOf(index))
      .range()
      .legendFormat(nameSeries(query.legend))
      .datasource(datasource),
  );
}

function expressionOf({ expression }: Query, isMoney: boolean | undefined): string {
  return isMoney ? roundMoney(expression) : expression;
}

/** Letters, as Grafana names the queries of a panel. */
export function refIdOf(index: number): string {
  return String.fromCharCode('A'.charCodeAt(0) + index);
}

/** One number as it is now, coloured by its bands. */
export function stat(text: PanelText & { readonly expression: string; readonly bands?: Bands }): BoardPanel {
  const builder = startStat(text.bands).withTarget(instantQuery(text.expression, 'A'));
  return finishPanel(builder, text, { width: 4, height: 4 });
}

/** How old is what a board shows, in seconds; by default as of what is read project by project. */
export function agePanel(text: Omit<Parameters<typeof stat>[0], 'title' | 'unit'>): BoardPanel {
  return stat({ title: 'Age of the data', unit: 's', bands: projectAgeBands, ...text });
}

/** Numbers as they are now, each with its name above it: larger than others. */
export function headline(text: Drawn & { readonly bands?: Bands }): BoardPanel {
  const targets = text.queries.map((query, index) =>
    instantQuery(expressionOf(query, text.isMoney), refIdOf(index)).legendFormat(nameSeries(query.legend)),
  );
  const builder = startStat(text.bands)
    .targets(targets)
    .textMode(common.BigValueTextMode.ValueAndName)
    .text(new common.VizTextDisplayOptionsBuilder().titleSize(14).valueSize(40));
  drawSeries(builder, text);
  return finishPanel(builder, text, { width: 4, height: 5 });
}

function startStat(bands: Bands = plain) {
  return new statPanel.PanelBuilder()
    .colorMode(common.BigValueColorMode.Value)
    .graphMode(common.BigValueGraphMode.None)
    .reduceOptions(new common.ReduceDataOptionsBuilder().calcs(['lastNotNull']))
    .thresholds({ build: () => toThresholds(bands) })
    .colorScheme(byThresholds());
}

function byThresholds() {
  return new dashboard.FieldColorBuilder().mode(dashboard.FieldColorModeId.Thresholds);
}

/** Lines over time: stacked areas when they add up to a whole, bars when each is a count of its own interval. */
export function timeseries(
  text: Drawn & {
    readonly stack?: boolean;
    readonly bars?: boolean;
    readonly max?: number;
    readonly colours?: Readonly<Record<string, string>>;
    /** How far it looks back, whatever the board does. */
    readonly since?: string;
    /** Names beside each other rather than in a table, where all of them should be seen. */
    readonly hasShortLegend?: boolean;
  },
): BoardPanel {
  const builder = new timeseriesPanel.PanelBuilder()
    .targets(rangeQueries(text))
    .drawStyle(text.bars ? common.GraphDrawStyle.Bars : common.GraphDrawStyle.Line)
    .fillOpacity(text.stack || text.bars ? 60 : 8)
    .lineWidth(1)
    .showPoints(common.VisibilityMode.Auto)
    .axisSoftMin(0)
    .min(0)
    .legend(
      new common.VizLegendOptionsBuilder()
        .displayMode(text.hasShortLegend ? common.LegendDisplayMode.List : common.LegendDisplayMode.Table)
        .placement(common.LegendPlacement.Bottom)
        .showLegend(true)
        .calcs(text.hasShortLegend ? ['lastNotNull'] : ['lastNotNull', 'max'])
        .sortBy('Last *')
        .sortDesc(true),
    )
    .tooltip(
      new common.VizTooltipOptionsBuilder()
        .mode(common.TooltipDisplayMode.Multi)
        .sort(common.SortOrder.Descending),
    );
  drawSeries(builder, text);
  if (text.stack || text.bars) {
    builder.stacking(new common.StackingConfigBuilder().mode(common.StackingMode.Normal).group('A'));
  }
  if (text.max !== undefined) builder.max(text.max);
  if (text.since !== undefined) builder.timeFrom(text.since);
  for (const [name, fixedColor] of Object.entries(text.colours ?? {})) {
    builder.overrideByName(name, [{ id: 'color', value: { mode: 'fixed', fixedColor } }]);
  }
  return finishPanel(builder, text);
}

/** A row for each series, coloured by the word its value stands for, or by its bands: many of them stay legible. */
export function timeline(text: Drawn & { readonly bands?: Bands }): BoardPanel {
  const builder = new timelinePanel.PanelBuilder()
    .targets(rangeQueries(text))
    .showValue(common.VisibilityMode.Auto)
    .mergeValues(true)
    .rowHeight(0.8)
    .legend(
      new common.VizLegendOptionsBuilder()
        .displayMode(common.LegendDisplayMode.List)
        .placement(common.LegendPlacement.Bottom)
        .showLegend(true),
    );
  drawSeries(builder, text);
  const { bands } = text;
  if (bands) builder.thresholds({ build: () => toThresholds(bands) }).colorScheme(byThresholds());
  return finishPanel(builder, text);
}
