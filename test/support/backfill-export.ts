import { ExportSource } from '../../src/backfill/export-source.ts';
import { layInstants } from '../../src/resources/backfill.ts';
import { type CatalogGroup, catalog } from '../../src/resources/catalog.ts';
import { day } from './reading-builder.ts';

export interface ExportedRange {
  readonly fromAt: number;
  readonly untilAt: number;
  readonly stepMs: number;
  /** All there are unless told. */
  readonly groups?: readonly CatalogGroup[];
  readonly metrics?: readonly string[];
  readonly labels?: Readonly<Record<string, string>>;
}

/** What `export` writes of a history. */
export function exportText(
  file: string,
  { fromAt, untilAt, stepMs, groups = catalog, metrics = [], labels = {} }: ExportedRange,
): string {
  using source = new ExportSource(file);
  const instants = layInstants(fromAt, untilAt, stepMs);
  const portions = source.render({ groups, metrics, labels, instants, staleAfterMs: 45 * day });
  return Array.from(portions, ({ text }) => text).join('');
}

/** A sample with its time, in epoch milliseconds. */
export interface TimedSample {
  readonly name: string;
  /** As they are written. */
  readonly labels: string;
  readonly value: number;
  readonly at: number;
}

export function readTimedSamples(text: string): readonly TimedSample[] {
  return text
    .split('\n')
    .filter(line => line !== '' && !line.startsWith('#'))
    .map(line => {
      const [, name = '', labels = '', value, seconds] = /^(\w+)\{(.*)\} (\S+) (\S+)$/.exec(line) ?? [];
      if (seconds === undefined) throw new Error(`not a sample with its time: ${line}`);
      return { name, labels, value: Number(value), at: Number(seconds) * 1000 };
    });
}
