import { existsSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import type { Config } from '../config/config.ts';
import { layInstants } from '../resources/backfill.ts';
import { type CatalogGroup, catalog } from '../resources/catalog.ts';
import { minuteMs } from '../resources/duration.ts';
import { Failure } from '../resources/failure.ts';
import { selectFamilies } from '../resources/series/family-selection.ts';
import { type Write, writeExportFile } from './export-file.ts';
import { type ExportPortion, ExportSource } from './export-source.ts';

/** The part of the history to be written; each comment ends with what holds where nothing is given. */
export interface ExportRequest {
  /** Epoch milliseconds; where the history begins. */
  readonly from?: number;
  /** Epoch milliseconds, not after now; now. */
  readonly to?: number;
  /** Milliseconds from one sample to the next; a minute for up to two days, else four. */
  readonly step?: number;
  /** Labels of every series; they add to those of a scrape or take their place. */
  readonly label?: Readonly<Record<string, string>>;
  /** Globs on names of metrics; all. */
  readonly metric?: readonly string[];
  /** The file to write to; `write`. */
  readonly out?: string;
  /** Whether a file at `out` is replaced. */
  readonly force: boolean;
}

/** The surroundings of an export. */
export interface ExportHost {
  /** Takes the text where no file is named. */
  readonly write: Write;
  /** Called after each portion with the part that is written, 0 to 1. */
  readonly onProgress: (done: number) => void;
  /** Ends the export before its end. */
  readonly signal: AbortSignal;
  /** Epoch milliseconds. */
  readonly now: number;
}

/** The address at which a daemon on this machine is scraped. */
const usualInstance = 'localhost:10062';

/** Small portions are written together, up to so many characters. */
const writeLength = 262_144;

const longestFineRangeMs = 2 * 24 * 60 * minuteMs;

/**
 * Writes a range of the history as OpenMetrics text with timestamps, for a time-series database to be filled with it.
 *
 * @throws Failure when there is nothing to write or it could not all be written; of kind `partial`, after all is written,
 *   when the range begins before what is known.
 * @throws HistoryError when the history cannot be read.
 */
export async function exportRange(config: Config, request: ExportRequest, host: ExportHost): Promise<void> {
  const { file } = config.history;
  if (!existsSync(file)) throw new Failure(`there is no history at ${file}: name it with --history.file`);
  const groups = selectFamilies(catalog, { ...config.series, collectors: config.collect.collectors });
  const labels = { job: config.rules.job, instance: usualInstance, ...request.label };
  refuseOwnLabels(Object.keys(labels), groups);
  using source = new ExportSource(file);
  const began = source.findBeginning();
  if (began === undefined) throw new Failure(`the history ${file} knows no projects yet`);
  const { from = began.firstAt, to = host.now } = request;
  refuseEmptyRange(from, to, host.now);
  const portions = source.render({
    ...{ groups, labels, metrics: request.metric ?? [] },
    instants: layInstants(from, to, request.step ?? usualStepMs(to - from)),
    staleAfterMs: config.keys.staleAfterMs,
    projects: new Map(config.accounts.map(account => [account.name, account.projects])),
  });
  if (request.out === undefined) await writeAll(portions, host.write, host);
  else await writeExportFile(request.out, request.force, write => writeAll(portions, write, host));
  if (request.from === undefined || from >= began.wholeAt) return;
  const begin = renderInstant(began.wholeAt);
  throw new Failure(`not all is known of the time before ${begin}: what is not was left out`, 'partial');
}

/** The step at which Prometheus would scrape, or for a long range as few samples as it needs. */
function usualStepMs(rangeMs: number): number {
  return rangeMs <= longestFineRangeMs ? minuteMs : 4 * minuteMs;
}

function refuseEmptyRange(from: number, to: number, now: number): void {
  if (from >= to)
    throw new Failure(
      `nothing lies between ${renderInstant(from)} and ${renderInstant(to)}: see --help`,
      'usage',
    );
  if (to > now)
    throw new Failure(`--to ${renderInstant(to)} lies in the future: name an earlier instant`, 'usage');
}

function refuseOwnLabels(names: readonly string[], groups: readonly CatalogGroup[]): void {
  const own = new Set(
    groups.flatMap(({ families }) => Object.values(families).flatMap(({ labels }) => labels)),
  );
  const taken = names.find(name => own.has(name));
  if (taken !== undefined)
    throw new Failure(`--label: metrics have a label ${taken} of their own: name another`, 'usage');
}

async function writeAll(
  portions: Iterable<ExportPortion>,
  write: Write,
  { signal, onProgress }: ExportHost,
): Promise<void> {
  for (const { text, done } of gather(portions)) {
    await write(text);
    // Lets a signal through.
    await setImmediate();
    if (signal.aborted) throw new Failure('the export was told to stop before its end');
    onProgress(done);
  }
}

function* gather(portions: Iterable<ExportPortion>): Generator<ExportPortion> {
  let text = '';
  for (const portion of portions) {
    text += portion.text;
    if (text.length < writeLength && portion.done < 1) continue;
    yield { text, done: portion.done };
    text = '';
  }
}

function renderInstant(at: number): string {
  return new Date(at).toISOString();
}
