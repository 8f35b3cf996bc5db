import { existsSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import type { Config } from '../config/config.ts';
import type { InstantRow } from '../resources/backfill.ts';
import { type CatalogGroup, catalog } from '../resources/catalog.ts';
import { Failure } from '../resources/failure.ts';
import { selectFamilies } from '../resources/series/family-selection.ts';
import { usageOptionsOf } from '../usage/options.ts';
import { writeBlocks } from './block-folder.ts';
import { type Write, writeExportFile } from './export-file.ts';
import { type BlockStretch, cutIntoBlocks, layRows } from './export-instant.ts';
import { ExportSource, type RenderInstants } from './export-source.ts';
import type { ExportPortion } from './export-text.ts';

/** The part of the history to be written; each comment ends with what holds where nothing is given. */
export interface ExportRequest {
  /** Epoch milliseconds; where the history begins. */
  readonly from?: number;
  /** Epoch milliseconds, not after now; now. */
  readonly to?: number;
  /** Milliseconds from one sample to the next; a minute in the last two days, and four before. */
  readonly step?: number;
  /** Labels of every series; they add to those of a scrape or take their place. */
  readonly label?: Readonly<Record<string, string>>;
  /** Globs on names of metrics; all. */
  readonly metric?: readonly string[];
  /** The file to write to; `write`. */
  readonly out?: string;
  /** The folder that blocks of a time-series database are written to; text is written. */
  readonly blocks?: string;
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

/**
 * Writes a range of the history as OpenMetrics text with timestamps, or as blocks, for a time-series database to be filled
 * with it.
 *
 * @throws Failure when there is nothing to write or it could not all be written; of kind `partial`, after all is written,
 *   when the range begins before what is known.
 * @throws HistoryError when the history cannot be read.
 */
export async function exportRange(config: Config, request: ExportRequest, host: ExportHost): Promise<void> {
  const { file } = config.history;
  if (!existsSync(file)) throw new Failure(`there is no history at ${file}: name it with --history.file`);
  if (request.out !== undefined && request.blocks !== undefined)
    throw new Failure('--out is for text and --blocks for blocks: give one of them', 'usage');
  const groups = selectFamilies(catalog, { ...config.series, collectors: config.collect.collectors });
  const labels = { job: config.rules.job, instance: usualInstance, ...request.label };
  refuseOwnLabels(Object.keys(labels), groups);
  using source = new ExportSource(file);
  const began = source.findBeginning();
  if (began === undefined) throw new Failure(`the history ${file} knows no projects yet`);
  const { from = began.firstAt, to = host.now } = request;
  refuseEmptyRange(from, to, host.now);
  const render = source.prepare({
    ...{ groups, labels, metrics: request.metric ?? [], usage: usageOptionsOf(config) },
    staleAfterMs: config.keys.staleAfterMs,
    projects: new Map(config.accounts.map(account => [account.name, account.projects])),
  });
  const rows = layRows(from, to, request.step);
  if (request.blocks !== undefined) await exportBlocks(request.blocks, render, rows, source, host);
  else if (request.out === undefined) await writeAll(render(rows), host.write, host);
  else
    await writeExportFile(request.out, request.force, async write => {
      await writeAll(render(rows), write, host);
    });
  if (request.from === undefined || from >= began.wholeAt) return;
  const begin = renderInstant(began.wholeAt);
  throw new Failure(`not all is known of the time before ${begin}: what is not was left out`, 'partial');
}

async function exportBlocks(
  folder: string,
  render: RenderInstants,
  rows: readonly InstantRow[],
  source: ExportSource,
  host: ExportHost,
): Promise<void> {
  const stretches = [...cutIntoBlocks(rows, source.countProjects())];
  let finished = 0;
  const produce = async ({ rows }: BlockStretch, write: Write) => {
    const onProgress = (done: number) => host.onProgress((finished + done) / stretches.length);
    const hasSamples = await writeAll(render(rows), write, { ...host, onProgress });
    finished += 1;
    return hasSamples;
  };
  await writeBlocks(folder, stretches, produce, host.signal);
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

/** @returns whether there was a sample. */
async function writeAll(
  portions: Iterable<ExportPortion>,
  write: Write,
  { signal, onProgress }: Pick<ExportHost, 'signal' | 'onProgress'>,
): Promise<boolean> {
  let hasSamples = false;
  for (const { text, done } of gather(portions)) {
    hasSamples ||= /^[^#]/m.test(text);
    if (text !== '') await write(text);
    // Lets a signal through.
    await setImmediate();
    if (signal.aborted) throw new Failure('the export was told to stop before its end');
    onProgress(done);
  }
  return hasSamples;
}

function* gather(portions: Iterable<ExportPortion>): Generator<ExportPortion> {
  let text = '';
  for (const portion of portions) {
    text += portion.text;
    // Where nothing is ready, work goes on that takes long.
    if (portion.text !== '' && text.length < writeLength && portion.done < 1) continue;
    yield { text, done: portion.done };
    text = '';
  }
}

function renderInstant(at: number): string {
  return new Date(at).toISOString();
}
