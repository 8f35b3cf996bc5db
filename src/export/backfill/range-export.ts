import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import type { Config } from '../../config/config.ts';
import { listHistories, nameHistories } from '../../history/file/history-list.ts';
import { BackfillText } from '../../metrics/page/backfill-track.ts';
import { renderHeader } from '../../metrics/page/exposition.ts';
import { usageOptionsOf } from '../../report/usage-view/options.ts';
import type { InstantRow } from '../../resources/backfill.ts';
import { type CatalogGroup, catalog } from '../../resources/catalog.ts';
import { Failure } from '../../resources/failure.ts';
import { selectFamilies } from '../../resources/family-selection.ts';
import { nameShards } from '../../resources/shard.ts';
import { type Write, writeBlocks, writeExportFile } from './export-file.ts';
import { ExportHistory } from './export-history.ts';
import { type BlockStretch, cutIntoBlocks, layRows } from './export-instant.ts';
import type { ReadInstants } from './export-source.ts';
import type { ExportStep } from './export-step.ts';
import type { RemoteExport, RemoteHost } from './remote/remote-export.ts';
import { findIdleFlag, type RemoteRequest } from './remote/remote-request.ts';
import { RenewedLook } from './renewed-look.ts';

/** The part of the history to be written; each comment ends with what holds where nothing is given. */
export interface ExportRequest extends RemoteRequest {
  /** Epoch milliseconds; where the history begins. */
  readonly from?: number;
  /** Epoch milliseconds, not after now; now. */
  readonly to?: number;
  /** Milliseconds from one sample to the next; a minute in the last two days, and four before. */
  readonly step?: number;
  /** Labels of every series; they add to the labels of a scrape or take their place. */
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
export interface ExportHost extends RemoteHost {
  /** Takes the text where no file is named. */
  readonly write: Write;
  /** Epoch milliseconds. */
  readonly now: number;
}

/** The address at which a daemon on this machine is scraped. */
const usualInstance = 'localhost:10062';

/** The most characters of small portions that are written together. */
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
  const files = findHistories(config.history.file);
  refuseClashes(request);
  const groups = selectFamilies(catalog, { ...config.series, collectors: config.collect.collectors });
  const labels = { job: config.rules.job, instance: usualInstance, ...request.label };
  refuseOwnLabels(Object.keys(labels), groups);
  using history = new ExportHistory(files);
  const began = history.findBeginning();
  if (began === undefined) throw new Failure(`the history ${files.join(', ')} knows no projects yet`);
  const remote = await openRemote(files, labels, request, host);
  const { from = began.firstAt, to = host.now } = remote?.range ?? request;
  refuseEmptyRange(from, to, host.now);
  using look = new RenewedLook(history, () => new ExportHistory(files), {
    ...{ groups, labels, metrics: request.metric ?? [], usage: usageOptionsOf(config) },
    staleAfterMs: config.keys.staleAfterMs,
    projects: new Map(config.accounts.map(account => [account.name, account.projects])),
  });
  const { read } = look;
  const rows = layRows(from, to, request.step);
  const projects = history.countProjects();
  if (remote !== undefined) await remote.send(look, { rows, projects, from, to });
  else if (request.blocks !== undefined) await exportBlocks(request.blocks, read, { rows, projects }, host);
  else if (request.out === undefined) await writeAll(renderExport(rows, read(rows)), host.write, host);
  else
    await writeExportFile(request.out, request.force, async write => {
      await writeAll(renderExport(rows, read(rows)), write, host);
    });
  const missing = history.findMissingShards();
  if (missing.length > 0)
    throw new Failure(
      `the history of ${nameShards(missing)} is not there: its projects were left out`,
      'partial',
    );
  if (request.from === undefined || from >= began.wholeAt) return;
  const begin = renderInstant(began.wholeAt);
  throw new Failure(`not all is known of the time before ${begin}: what is not was left out`, 'partial');
}

function findHistories(given: string): readonly string[] {
  const files = listHistories(given);
  const absent = files.length === 0 ? nameHistories(given) : files.find(file => !existsSync(file));
  if (absent === undefined) return files;
  throw new Failure(`there is no history at ${absent}: name it with --history.file`);
}

function refuseClashes(request: ExportRequest): void {
  const { out, blocks, remoteWrite } = request;
  if (out !== undefined && blocks !== undefined)
    throw new Failure('--out is for text and --blocks for blocks: give one of them', 'usage');
  if (remoteWrite !== undefined && (out ?? blocks) !== undefined)
    throw new Failure('--remote-write sends what --out and --blocks write: give one of them', 'usage');
  const idle = findIdleFlag(request);
  if (idle !== undefined)
    throw new Failure(`${idle} is for a receiver: name that with --remote-write`, 'usage');
}

async function openRemote(
  histories: readonly string[],
  labels: Readonly<Record<string, string>>,
  request: ExportRequest,
  host: ExportHost,
): Promise<RemoteExport | undefined> {
  if (request.remoteWrite === undefined) return undefined;
  const { from, to, step, metric } = request;
  const identity = [from ?? null, to ?? null, step ?? null, Object.entries(labels).toSorted(), metric ?? []];
  // Loaded here alone: what is written to a file needs none of it.
  const { RemoteExport } = await import('./remote/remote-export.ts');
  return new RemoteExport(
    request,
    histories.map(history => resolve(history)),
    identity,
    host,
  );
}

async function exportBlocks(
  folder: string,
  read: ReadInstants,
  { rows, projects }: { readonly rows: readonly InstantRow[]; readonly projects: number },
  host: ExportHost,
): Promise<void> {
  const stretches = [...cutIntoBlocks(rows, projects)];
  let finished = 0;
  const produce = async ({ rows }: BlockStretch, write: Write) => {
    const onProgress = (done: number) => host.onProgress((finished + done) / stretches.length);
    const hasSamples = await writeAll(renderExport(rows, read(rows)), write, { ...host, onProgress });
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

/** A portion of the text, and the part of the whole that is done with it, 0 to 1. */
interface ExportPortion {
  /** Empty while nothing is ready to be written. */
  readonly text: string;
  readonly done: number;
}

/** The series of some instants as OpenMetrics, in portions that are made as they are asked for. */
export function* renderExport(
  rows: readonly InstantRow[],
  steps: Iterable<ExportStep>,
): Generator<ExportPortion> {
  const lines = new BackfillText(rows);
  for (const { done, family, track } of steps) {
    if (track === undefined)
      yield { text: family === undefined ? '' : renderHeader(family, 'openmetrics'), done };
    else for (const text of lines.render(track)) yield { text, done };
  }
  yield { text: '# EOF\n', done: 1 };
}
