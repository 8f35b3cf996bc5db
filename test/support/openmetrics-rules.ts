import { readExposition, type Sample } from './exposition-reader.ts';

interface Family {
  readonly name: string;
  readonly type: string;
  readonly comments: readonly string[];
  readonly samples: readonly Sample[];
}

const suffixes: Readonly<Record<string, readonly string[]>> = {
  counter: ['_total'],
  gauge: [''],
  histogram: ['_bucket', '_sum', '_count'],
  summary: ['', '_sum', '_count'],
};

/** Every rule of OpenMetrics 1.0.0 that a text breaks, one sentence each; empty when it breaks none. */
export function listOpenMetricsProblems(text: string): readonly string[] {
  const problems: string[] = [];
  if (!text.endsWith('# EOF\n')) problems.push('the text does not end with "# EOF\\n"');
  const lines = text
    .replace(/# EOF\n$/, '')
    .split('\n')
    .slice(0, -1);
  if (lines.includes('')) problems.push('there is a blank line');
  if (lines.includes('# EOF')) problems.push('there is more than one "# EOF"');
  const families = groupLines(lines, problems);
  const names = families.map(({ name }) => name);
  for (const name of new Set(names.filter((name, index) => names.indexOf(name) !== index))) {
    problems.push(`family ${name} stands in more than one place`);
  }
  return [...problems, ...families.flatMap(listFamilyProblems)];
}

/** Families in their order; a family begins with its TYPE. */
function groupLines(lines: readonly string[], problems: string[]): readonly Family[] {
  const families: { name: string; type: string; comments: string[]; lines: string[] }[] = [];
  for (const line of lines) {
    const [, keyword, name = '', rest = ''] = /^# (TYPE|UNIT|HELP) (\S+) ?(.*)$/s.exec(line) ?? [];
    if (keyword === 'TYPE') families.push({ name, type: rest, comments: [], lines: [] });
    const family = families.at(-1);
    if (family === undefined) problems.push(`no TYPE before: ${line}`);
    else if (keyword === undefined) family.lines.push(line);
    else if (name !== family.name) problems.push(`${keyword} of ${name} stands in family ${family.name}`);
    else if (family.lines.length > 0) problems.push(`${keyword} of ${name} stands after its samples`);
    else family.comments.push(keyword);
  }
  return families.map(({ lines: samples, ...family }) => ({
    ...family,
    samples: readExposition(samples.join('\n')),
  }));
}

function listFamilyProblems(family: Family): readonly string[] {
  const { name, type, comments, samples } = family;
  const problems: string[] = [];
  const unit = ['seconds', 'bytes'].find(word => name.endsWith(`_${word}`));
  const expected = unit === undefined ? 'TYPE HELP' : 'TYPE UNIT HELP';
  if (comments.join(' ') !== expected) problems.push(`${name} has ${comments.join(' ')}, not ${expected}`);
  if (type === 'counter' && name.endsWith('_total')) problems.push(`counter family ${name} ends in _total`);
  const allowed = (suffixes[type] ?? []).map(suffix => name + suffix);
  for (const sample of samples) {
    if (!allowed.includes(sample.name)) problems.push(`${sample.name} does not belong to ${type} ${name}`);
    if (type === 'counter' && !(sample.value >= 0)) problems.push(`${sample.name} is ${sample.value}`);
  }
  const series = samples.map(seriesKey);
  if (new Set(series).size !== series.length) problems.push(`${name} has a series twice`);
  return type === 'histogram' ? [...problems, ...listHistogramProblems(family)] : problems;
}

/** A sample's name and labels in one text, whatever the order of the labels. */
export function seriesKey({ name, labels }: Sample): string {
  return JSON.stringify([name, Object.entries(labels).sort(([a], [b]) => (a < b ? -1 : 1))]);
}

function listHistogramProblems({ name, samples }: Family): readonly string[] {
  const problems: string[] = [];
  const metrics = samples.map(({ labels: { le, ...labels } }) => seriesKey({ name, labels, value: 0 }));
  const changes = metrics.filter((key, index) => key !== metrics[index - 1]).length;
  if (changes !== new Set(metrics).size) problems.push(`${name} interleaves its histograms`);
  for (const key of new Set(metrics)) {
    const own = samples.filter((_, index) => metrics[index] === key);
    const buckets = own.filter(sample => sample.name === `${name}_bucket`);
    const bounds = buckets.map(({ labels }) => labels.le ?? '');
    if (bounds.at(-1) !== '+Inf') problems.push(`${key} has no last bucket +Inf`);
    if (bounds.slice(0, -1).some(le => !/^\d+\.\d+$/.test(le)))
      problems.push(`${key}: le ${bounds.join(' ')}`);
    const rising = buckets.every(
      ({ value }, index) => index === 0 || value >= (buckets[index - 1]?.value ?? 0),
    );
    if (!rising) problems.push(`${key} has falling buckets`);
    const count = own.find(sample => sample.name === `${name}_count`)?.value;
    if (count !== buckets.at(-1)?.value) problems.push(`${key} counts ${count}`);
  }
  return problems;
}
