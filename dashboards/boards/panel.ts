import type { Builder } from '@grafana/grafana-foundation-sdk/cog';
import * as common from '@grafana/grafana-foundation-sdk/common';
import * as dashboard from '@grafana/grafana-foundation-sdk/dashboard';
import { DataqueryBuilder, PromQueryFormat } from '@grafana/grafana-foundation-sdk/prometheus';
import * as statPanel from '@grafana/grafana-foundation-sdk/stat';
import * as timelinePanel from '@grafana/grafana-foundation-sdk/statetimeline';
import * as timeseriesPanel from '@grafana/grafana-foundation-sdk/timeseries';
import type { Fault } from './fault.ts';
import type { DrillDown } from './link.ts';
import { type Bands, plain, toThresholds } from './look.ts';
import type { CatalogLabel } from './scope.ts';

export const datasource = { type: 'prometheus', uid: '$' + '{datasource}' };

/** The least step between points: as long as a usual scrape interval, so that no sample is drawn twice. */
const leastStep = '30s';

/** A panel of a board, not yet placed. */
export interface BoardPanel {
  readonly panel: Readonly<dashboard.Panel>;
  /** Set where the panel is empty on a healthy fleet. */
  readonly filledBy?: Fault;
}

/** The text on and around every panel; `width` of 24 columns, `unit` by Grafana's name of it. */
export interface PanelText {
  readonly title: string;
  readonly description: string;
  readonly unit: string;
  readonly width: number;
  readonly height?: number;
  readonly decimals?: number;
  readonly mappings?: dashboard.ValueMapping[];
  readonly links?: readonly DrillDown[];
  readonly noValue?: string;
  readonly filledBy?: Fault;
}

export interface Query {
  readonly expression: string;
  /** Labels whose values name a series, or a name for the only one. */
  readonly legend: readonly CatalogLabel[] | string;
}

interface AnyPanelBuilder extends Builder<dashboard.Panel> {
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

/** Completes a panel with the parts that all of them have. */
export function finishPanel(builder: AnyPanelBuilder, text: PanelText, height: number): BoardPanel {
  const { filledBy } = text;
  builder
    .title(text.title)
    .description(text.description)
    .unit(text.unit)
    .noValue(text.noValue ?? (filledBy ? 'none' : 'no data'))
    .span(text.width)
    .height(text.height ?? height)
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

function rangeQuery({ expression, legend }: Query, index: number) {
  return new DataqueryBuilder()
    .expr(expression)
    .refId(refIdOf(index))
    .range()
    .legendFormat(typeof legend === 'string' ? legend : renderLegend(legend))
    .datasource(datasource);
}

function renderLegend(labels: readonly CatalogLabel[]): string {
  return labels.map(label => `{{${label}}}`).join(' · ');
}

/** Letters, as Grafana names the queries of a panel. */
export function refIdOf(index: number): string {
  return String.fromCharCode('A'.charCodeAt(0) + index);
}

/** One number as it is now, coloured by its bands; where there may be several, each with its labels. */
export function stat(
  text: PanelText & {
    readonly expression: string;
    readonly bands?: Bands;
    readonly legend?: readonly CatalogLabel[];
  },
): BoardPanel {
  const target = instantQuery(text.expression, 'A');
  const builder = new statPanel.PanelBuilder()
    .withTarget(text.legend === undefined ? target : target.legendFormat(renderLegend(text.legend)))
    .colorMode(common.BigValueColorMode.Value)
    .graphMode(common.BigValueGraphMode.None)
    .reduceOptions(new common.ReduceDataOptionsBuilder().calcs(['lastNotNull']))
    .thresholds({ build: () => toThresholds(text.bands ?? plain) })
    .colorScheme(new dashboard.FieldColorBuilder().mode(dashboard.FieldColorModeId.Thresholds));
  if (text.legend !== undefined) builder.textMode(common.BigValueTextMode.ValueAndName);
  return finishPanel(builder, text, 4);
}

/** Lines over time: stacked areas when they add up to a whole, bars when each is a count of its own interval. */
export function timeseries(
  text: PanelText & {
    readonly queries: readonly Query[];
    readonly stack?: boolean;
    readonly bars?: boolean;
    readonly max?: number;
    readonly colours?: Readonly<Record<string, string>>;
  },
): BoardPanel {
  const builder = new timeseriesPanel.PanelBuilder()
    .targets(text.queries.map(rangeQuery))
    .drawStyle(text.bars ? common.GraphDrawStyle.Bars : common.GraphDrawStyle.Line)
    .fillOpacity(text.stack || text.bars ? 60 : 8)
    .lineWidth(1)
    .showPoints(common.VisibilityMode.Auto)
    .axisSoftMin(0)
    .min(0)
    .legend(
      new common.VizLegendOptionsBuilder()
        .displayMode(common.LegendDisplayMode.Table)
        .placement(common.LegendPlacement.Bottom)
        .showLegend(true)
        .calcs(['lastNotNull', 'max'])
        .sortBy('Last *')
        .sortDesc(true),
    )
    .tooltip(
      new common.VizTooltipOptionsBuilder()
        .mode(common.TooltipDisplayMode.Multi)
        .sort(common.SortOrder.Descending),
    );
  if (text.stack || text.bars) {
    builder.stacking(new common.StackingConfigBuilder().mode(common.StackingMode.Normal).group('A'));
  }
  if (text.max !== undefined) builder.max(text.max);
  for (const [name, fixedColor] of Object.entries(text.colours ?? {})) {
    builder.overrideByName(name, [{ id: 'color', value: { mode: 'fixed', fixedColor } }]);
  }
  return finishPanel(builder, text, 9);
}

/** A row for each series, coloured by the word its value stands for. */
export function timeline(
  text: PanelText & { readonly queries: readonly Query[]; readonly mappings: dashboard.ValueMapping[] },
): BoardPanel {
  const builder = new timelinePanel.PanelBuilder()
    .targets(text.queries.map(rangeQuery))
    .showValue(common.VisibilityMode.Auto)
    .mergeValues(true)
    .rowHeight(0.8)
    .legend(
      new common.VizLegendOptionsBuilder()
        .displayMode(common.LegendDisplayMode.List)
        .placement(common.LegendPlacement.Bottom)
        .showLegend(true),
    );
  return finishPanel(builder, text, 8);
}
