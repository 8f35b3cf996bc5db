import type { AccountView } from '../../src/resources/account.ts';
import { type CatalogGroup, catalog } from '../../src/resources/catalog.ts';
import type { Family } from '../../src/resources/family.ts';
import { subjectsOf } from './page-reference.ts';

/** One sample as a line a person can read: `name{label="value"} 1`; a histogram has one line for each of its numbers. */
interface Sample {
  readonly series: string;
  readonly value: number;
  readonly family: Pick<Family<never>, 'name' | 'type' | 'labels'>;
}

/** Every sample of every family of an account. */
export function samplesOf(view: AccountView, groups = catalog): readonly Sample[] {
  return groups.flatMap(group => groupSamples(group, view));
}

/** The samples as lines, of the families whose name begins with `prefix`, without the label `account`. */
export function linesOf(view: AccountView, prefix: string): readonly string[] {
  return samplesOf(view)
    .filter(({ series }) => series.startsWith(prefix))
    .map(({ series, value }) => `${series.replace(/account="[^"]*",?/, '')} ${value}`);
}

/** The only line of one series; undefined when it is absent. */
export function sampleValue(view: AccountView, series: string): number | undefined {
  const found = samplesOf(view).filter(sample => sample.series.replace(/account="[^"]*",?/, '') === series);
  if (found.length > 1) throw new Error(`${series} was emitted ${found.length} times`);
  return found[0]?.value;
}

function groupSamples(group: CatalogGroup, view: AccountView): readonly Sample[] {
  return subjectsOf(group, { accounts: [view], projects: view.projects }).flatMap(subject =>
    Object.values(group.families).flatMap(family => familySamples(group, family, subject)),
  );
}

function familySamples(
  { labelValues }: Pick<CatalogGroup, 'labelValues'>,
  family: Family<unknown>,
  subject: unknown,
): readonly Sample[] {
  const samples: Sample[] = [];
  const add = (suffix: string, own: readonly string[], value: number, bound?: number) => {
    const values = [...labelValues(subject), ...own];
    if (values.length !== family.labels.length)
      throw new Error(`${family.name} emits ${values.length} labels`);
    const labels = family.labels.map((label, index) => `${label}=${JSON.stringify(values[index])}`);
    if (bound !== undefined) labels.push(`le="${bound}"`);
    samples.push({ series: `${family.name}${suffix}{${labels.join(',')}}`, value, family });
  };
  if (family.type === 'histogram') {
    family.sample(subject, (value, ...own) => {
      if (value === undefined) return;
      for (const [index, bound] of family.buckets.entries())
        add('_bucket', own, value.cumulativeCounts[index] ?? Number.NaN, bound);
      add('_count', own, value.count);
      add('_sum', own, value.sum);
    });
  } else {
    family.sample(subject, (value, ...own) => {
      if (value !== undefined) add('', own, value);
    });
  }
  return samples;
}
