import { ExportHistory } from '../../src/export/backfill/export-history.ts';
import { renderExport } from '../../src/export/backfill/range-export.ts';
import type { UsageOptions } from '../../src/report/usage-view/options.ts';
import { layInstants } from '../../src/resources/backfill.ts';
import { type CatalogGroup, catalog } from '../../src/resources/catalog.ts';
import { day } from './reading-builder.ts';
import { usualUsage } from './usage-options.ts';

interface ExportedRange {
  readonly fromAt: number;
  readonly untilAt: number;
  readonly stepMs: number;
  /** All there are unless told, but those of use and cost. */
  readonly groups?: readonly CatalogGroup[];
  readonly metrics?: readonly string[];
  readonly labels?: Readonly<Record<string, string>>;
  /** The usual ones unless told. */
  readonly usage?: UsageOptions;
}

/** The families of what is watched: views of use and cost take long. */
const watchedGroups = catalog.filter(({ unit }) => unit !== 'usage');

/** What `export` writes of a history, or of several. */
export function exportText(
  files: string | readonly string[],
  {
    fromAt,
    untilAt,
    stepMs,
    groups = watchedGroups,
    metrics = [],
    labels = {},
    usage = usualUsage,
  }: ExportedRange,
): string {
  using history = new ExportHistory([files].flat());
  const read = history.prepare({ groups, metrics, labels, usage, staleAfterMs: 45 * day });
  const rows = [layInstants(fromAt, untilAt, stepMs)];
  const portions = renderExport(rows, read(rows));
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
