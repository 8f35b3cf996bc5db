import { setImmediate } from 'node:timers/promises';
import { type ExportFlags, usualStepMs } from '../cli/export-option.ts';
import { Failure } from '../cli/failure.ts';
import type { Io } from '../cli/io.ts';
import type { Config } from '../config/config.ts';
import { layInstants } from '../resources/backfill.ts';
import { type CatalogGroup, catalog } from '../resources/catalog.ts';
import { selectFamilies } from '../resources/series/family-selection.ts';
import { type Write, writeToFile, writeToStdout } from './export-target.ts';
import { type ExportPortion, ExportSource } from './export-writer.ts';

/** Where a daemon on this machine is scraped. */
const usualInstance = 'localhost:10062';

/** Small portions are written together. */
const writeLength = 262_144;

/** Writes a range of the past; throws a `Failure` with exit code 3 where that is not known from its beginning on. */
export async function exportRange(io: Io, config: Config, flags: ExportFlags, now: number): Promise<void> {
  const { file } = config.history;
  const groups = selectFamilies(catalog, { ...config.series, collectors: config.collect.collectors });
  const labels = { job: config.rules.job, instance: usualInstance, ...flags.label };
  refuseOwnLabels(Object.keys(labels), groups);
  using source = new ExportSource(file);
  const began = source.findBeginning();
  if (began === undefined) throw new Failure(`the history ${file} knows no projects yet`);
  const { from = began.firstAt, to = now, step = usualStepMs(to - from), metric: metrics = [] } = flags;
  if (from >= to)
    throw new Failure(`nothing lies between ${renderInstant(from)} and ${renderInstant(to)}: see --help`, 2);
  if (to > now) throw new Failure(`--to ${renderInstant(to)} lies in the future: name an earlier instant`, 2);
  const portions = source.render({
    ...{ groups, labels, metrics },
    instants: layInstants(from, to, step),
    staleAfterMs: config.keys.staleAfterMs,
    projects: new Map(config.accounts.map(account => [account.name, account.projects])),
  });
  const produce = (write: Write) => writeAll(io, portions, write, flags.out !== undefined);
  if (flags.out === undefined) await writeToStdout(io, produce);
  else await writeToFile(flags.out, flags.force, produce);
  if (flags.from === undefined || from >= began.wholeAt) return;
  const begin = renderInstant(began.wholeAt);
  throw new Failure(`not all is known of the time before ${begin}: what is not was left out`, 3);
}

function refuseOwnLabels(names: readonly string[], groups: readonly CatalogGroup[]): void {
  const own = new Set(
    groups.flatMap(({ families }) => Object.values(families).flatMap(({ labels }) => labels)),
  );
  const taken = names.find(name => own.has(name));
  if (taken !== undefined)
    throw new Failure(`--label: metrics have a label ${taken} of their own: name another`, 2);
}

/** Shows how far it is on a terminal, unless the text itself goes there. */
async function writeAll(
  io: Io,
  portions: Iterable<ExportPortion>,
  write: Write,
  isFile: boolean,
): Promise<void> {
  const isShown = io.stderrIsTerminal && (isFile || !io.stdoutIsTerminal);
  let shown = '';
  try {
    for (const { text, done } of gather(portions)) {
      await write(text);
      // Lets a signal through.
      await setImmediate();
      if (io.stopped.aborted) throw new Failure('the export was told to stop before its end');
      const progress = `\rexporting: ${Math.floor(100 * done)} %`;
      if (isShown && progress !== shown) io.stderr(progress);
      shown = progress;
    }
  } finally {
    if (isShown) io.stderr('\r\u001b[K');
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
