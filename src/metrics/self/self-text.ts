import type { MetricObjectWithValues, MetricValue } from 'prom-client';
import { type Format, renderBound, renderHeader, renderLabels, renderSample } from '../page/exposition.ts';

type SampleJson = MetricValue<string> & { readonly metricName?: string };
type MetricJson = MetricObjectWithValues<SampleJson>;

/** Renders the values of prom-client; the parts that stay the same from scrape to scrape are rendered once. */
export class SelfText {
  readonly #headers: Readonly<Record<Format, Map<string, string>>> = {
    text: new Map(),
    openmetrics: new Map(),
  };
  /** prom-client keeps the labels of a counter or gauge in one object for good. */
  readonly #labels = new WeakMap<SampleJson['labels'], string>();

  readonly #lasting: Readonly<Record<Format, WeakMap<readonly MetricJson[], string>>> = {
    text: new WeakMap(),
    openmetrics: new WeakMap(),
  };

  /**
   * OpenMetrics with its end mark.
   *
   * @param lasting what comes first; rendered once as long as it is the same list.
   */
  render(lasting: readonly MetricJson[], metrics: readonly MetricJson[], format: Format): string {
    const known = this.#lasting[format].get(lasting);
    const first = known ?? this.#renderAll(lasting, format);
    if (known === undefined) this.#lasting[format].set(lasting, first);
    const text = first + this.#renderAll(metrics, format);
    return format === 'openmetrics' ? `${text}# EOF\n` : text;
  }

  #renderAll(metrics: readonly MetricJson[], format: Format): string {
    let text = '';
    for (const metric of metrics) {
      text += this.#header(metric, format);
      for (const sample of metric.values) {
        text += renderSample(sample.metricName ?? metric.name, this.#renderLabels(sample), sample.value);
      }
    }
    return text;
  }

  #header({ name, type, help }: MetricJson, format: Format): string {
    const known = this.#headers[format].get(name);
    if (known !== undefined) return known;
    const header = renderHeader({ name, type: metricType(type), help }, format);
    this.#headers[format].set(name, header);
    return header;
  }

  #renderLabels({ labels }: SampleJson): string {
    const known = this.#labels.get(labels);
    if (known !== undefined) return known;
    const names = Object.keys(labels).sort((a, b) => Number(a === 'le') - Number(b === 'le'));
    const values = names.map(name => {
      const value = labels[name];
      return name === 'le' && typeof value === 'number' ? renderBound(value) : String(value ?? '');
    });
    const rendered = renderLabels(names, values);
    this.#labels.set(labels, rendered);
    return rendered;
  }
}

/** prom-client's JSON names types in words, its typings say they are numbers. */
function metricType(type: unknown): 'counter' | 'gauge' | 'histogram' | 'summary' {
  return type === 'counter' || type === 'histogram' || type === 'summary' ? type : 'gauge';
}
