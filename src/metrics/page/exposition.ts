import type { HistogramValue } from '../../resources/family.ts';

/** Prometheus text 0.0.4, or OpenMetrics 1.0.0. Sample lines are the same in both, only the headers differ. */
export type Format = 'text' | 'openmetrics';
export const formats: readonly Format[] = ['text', 'openmetrics'];

interface FamilyHeader {
  readonly name: string;
  readonly type: 'counter' | 'gauge' | 'histogram' | 'summary';
  readonly help: string;
}

const units = ['seconds', 'bytes'];

/** The comment lines before the samples of a family, each with its line break. */
export function renderHeader({ name, type, help }: FamilyHeader, format: Format): string {
  if (format === 'text') {
    return `# HELP ${name} ${escapeHelp(help)}\n# TYPE ${name} ${type}\n`;
  }
  const family = type === 'counter' ? name.replace(/_total$/, '') : name;
  const unit = units.find(word => family.endsWith(`_${word}`));
  return [
    `# TYPE ${family} ${type}\n`,
    unit === undefined ? '' : `# UNIT ${family} ${unit}\n`,
    `# HELP ${family} ${escapeLabelValue(help)}\n`,
  ].join('');
}

/** `name="value",…` without braces; the order is the caller's. */
export function renderLabels(names: readonly string[], values: readonly string[]): string {
  return names.map((name, index) => `${name}="${escapeLabelValue(values[index] ?? '')}"`).join(',');
}

/** @param labels as `renderLabels` gives them; empty for none. */
export function renderSample(name: string, labels: string, value: number): string {
  return labels === '' ? `${name} ${renderNumber(value)}\n` : `${name}{${labels}} ${renderNumber(value)}\n`;
}

/** @param buckets upper bounds without +Inf, in the order of the value's counts. */
export function renderHistogram(
  name: string,
  labels: string,
  buckets: readonly number[],
  value: HistogramValue,
): string {
  const bucketName = `${name}_bucket`;
  const prefix = labels === '' ? '' : `${labels},`;
  const lines = buckets.map((bound, index) =>
    renderSample(bucketName, `${prefix}le="${renderBound(bound)}"`, value.cumulativeCounts[index] ?? 0),
  );
  lines.push(renderSample(bucketName, `${prefix}le="+Inf"`, value.count));
  lines.push(renderSample(`${name}_sum`, labels, value.sum));
  lines.push(renderSample(`${name}_count`, labels, value.count));
  return lines.join('');
}

/** OpenMetrics wants bounds as floats (`1.0`); text accepts them, and one spelling keeps one series. */
export function renderBound(bound: number): string {
  return Number.isInteger(bound) ? bound.toFixed(1) : renderNumber(bound);
}

/** A value as both formats write it. */
export function renderNumber(value: number): string {
  if (value === Number.POSITIVE_INFINITY) return '+Inf';
  if (value === Number.NEGATIVE_INFINITY) return '-Inf';
  return String(value);
}

const escapes: Readonly<Record<string, string>> = { '\\': '\\\\', '\n': '\\n', '"': '\\"' };

/** A label value between its quotes; help texts of OpenMetrics are escaped alike. */
export function escapeLabelValue(text: string): string {
  return /[\\\n"]/.test(text) ? text.replaceAll(/[\\\n"]/g, found => escapes[found] ?? found) : text;
}

function escapeHelp(text: string): string {
  return text.replaceAll(/[\\\n]/g, found => escapes[found] ?? found);
}
