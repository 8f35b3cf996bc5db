// Answers of Prometheus as frames of Grafana, changed and configured as a panel says.
import {
  applyFieldOverrides,
  cacheFieldDisplayNames,
  createTheme,
  FieldConfigOptionsRegistry,
  FieldType,
  rangeUtil,
  standardTransformers,
  standardTransformersRegistry,
  transformDataFrame,
} from '@grafana/data';
import { lastValueFrom } from 'rxjs';

export const theme = createTheme({ colors: { mode: 'light' } });
export const timeZone = 'utc';

/** The scrape interval that Grafana takes a data source to have. */
const scrapeSeconds = 15;
/** What a panel of Grafana has where its board says nothing. */
const color = { mode: 'palette-classic' };
const line = { drawStyle: 'line', lineInterpolation: 'linear', pointSize: 5, axisPlacement: 'auto' };

const { mergeTransformer, organizeFieldsTransformer, renameByRegexTransformer } = standardTransformers;
for (const each of [mergeTransformer, organizeFieldsTransformer, renameByRegexTransformer])
  standardTransformersRegistry.register({ ...each, transformation: async () => each });

/** The frames that a panel of this width draws. */
export async function framesOf({ targets, transformations, fieldConfig, interval }, variables, range, width) {
  const stepMs = rangeUtil.calculateInterval(range, width, interval).intervalMs;
  const isAlone = targets.length === 1;
  const answers = targets.map(target => ask({ ...target, isAlone }, variables, range, stepMs));
  const asked = (await Promise.all(answers)).flat();
  const custom = { ...line, ...fieldConfig.defaults.custom };
  const configured = { ...fieldConfig, defaults: { color, ...fieldConfig.defaults, custom } };
  const frames = applyFieldOverrides({
    data: await lastValueFrom(transformDataFrame(transformations ?? [], asked)),
    fieldConfig: configured,
    fieldConfigRegistry: registryOf(configured),
    replaceVariables: (text, { __dataContext }) =>
      text.replaceAll(
        /\$\{__field\.labels\.(\w+)\}/g,
        (_, name) => __dataContext.value.field.labels?.[name] ?? '',
      ),
    theme,
    timeZone,
  });
  cacheFieldDisplayNames(frames);
  return frames;
}

/** Whatever a panel or an override sets, as it is. */
function registryOf({ defaults: { custom, ...defaults }, overrides }) {
  const registry = new FieldConfigOptionsRegistry();
  const overridden = overrides.flatMap(({ properties }) => properties.map(({ id }) => id));
  const ids = [...Object.keys(defaults), ...Object.keys(custom).map(name => `custom.${name}`), ...overridden];
  for (const id of new Set(ids))
    registry.register({
      id,
      name: id,
      path: id.replace(/^custom\./, ''),
      isCustom: id.startsWith('custom.'),
      process: (value, { replaceVariables, field }) =>
        typeof value === 'string' ? replaceVariables(value, field.state.scopedVars) : value,
      shouldApply: () => true,
    });
  return registry;
}

/** Asks Prometheus as Grafana does, at the steps that fit the width. */
async function ask(target, variables, range, stepMs) {
  const step = stepMs / 1000;
  const seconds = Math.round((range.to - range.from) / 1000);
  const values = {
    ...variables,
    __rate_interval: `${Math.max(step + scrapeSeconds, 4 * scrapeSeconds)}s`,
    __range: `${seconds}s`,
    __range_s: `${seconds}`,
  };
  const query = target.expr.replaceAll(/\$(\w+)/g, (_, name) => values[name]);
  const [start, end] = [range.from, range.to].map(at => Math.floor(at / stepMs) * step);
  const now = range.to / 1000;
  const time = target.instant ? { time: now } : { start, end, step };
  const path = `/api/v1/${target.instant ? 'query' : 'query_range'}`;
  const body = new URLSearchParams({ query, ...time });
  const { data, error } = await (await fetch(path, { method: 'POST', body })).json();
  if (data === undefined) throw new Error(`${query}: ${error}`);
  const instants = target.instant
    ? [now]
    : Array.from({ length: (end - start) / step + 1 }, (_, at) => start + at * step);
  if (target.format !== 'table') return data.result.map(series => seriesOf(target, series, instants));
  return data.result.length === 0 ? [] : [tableOf(target, data.result)];
}

function tableOf({ refId, isAlone }, result) {
  const labels = new Set(result.flatMap(({ metric }) => Object.keys(metric)));
  const field = (name, type, read) => ({ name, type, config: {}, values: result.map(read) });
  const fields = [
    field('Time', FieldType.time, ({ value: [at] }) => at * 1000),
    ...[...labels].map(name => field(name, FieldType.string, ({ metric }) => metric[name])),
    field(isAlone ? 'Value' : `Value #${refId}`, FieldType.number, ({ value: [, text] }) => Number(text)),
  ];
  return { refId, fields, length: result.length };
}

/** A value at each instant, or null. */
function seriesOf({ refId, legendFormat }, { metric: labels, value, values = [value] }, instants) {
  const displayNameFromDS = legendFormat?.replaceAll(/\{\{(\w+)\}\}/g, (_, name) => labels[name] ?? '');
  const known = new Map(values.filter(([, text]) => text !== 'NaN'));
  const numbers = instants.map(at => (known.has(at) ? Number(known.get(at)) : null));
  const fields = [
    { name: 'Time', type: FieldType.time, config: {}, values: instants.map(at => at * 1000) },
    { name: 'Value', type: FieldType.number, labels, config: { displayNameFromDS }, values: numbers },
  ];
  return { refId, fields, length: instants.length };
}
