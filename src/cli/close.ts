import { Command, Option } from 'commander';
import type { CloseOptions } from '../report/bill/closing/close.ts';
import { type BillFormat, billFormats } from '../report/kind.ts';
import { addHistoryOptions, loadHistoryConfig } from './history-command.ts';
import type { Io } from './io.ts';
import { wordOption } from './option.ts';
import { printNote } from './terminal.ts';

const sourceHelp = `
The bill of a closed period stays as it is. A price book that would change it is refused. What is found later is an adjustment
in the first open period after it. Closed periods are in the history file, which a daemon may be writing. A period that is not
over, or not wholly known, is refused.
`;

interface CloseFlags extends CloseOptions {
  readonly list: boolean;
  readonly reopen: boolean;
  readonly format: BillFormat;
}

/** `close`: freezes the bill of a billing period. */
export function closeCommand(
  io: Io,
  { now = () => Date.now() }: { readonly now?: () => number } = {},
): Command {
  const command = new Command('close')
    .description('close a billing period: what it costs never changes again')
    .option(
      '--period <period>',
      'the billing period, such as last-billing or billing:2026-10 (default: last-billing)',
    )
    .option(
      '--account <name>',
      'this account alone (default: those of the configuration, or all of the history)',
    )
    .addOption(
      new Option('--anyway', 'accept that something of it is not known')
        .default(false)
        .conflicts(['list', 'reopen']),
    )
    .addOption(
      new Option('--reopen', 'open a closed one again, which is recorded').default(false).conflicts('list'),
    )
    .addOption(new Option('--list', 'list all that were ever closed').default(false))
    .addOption(wordOption('--format <format>', 'how the list is written', billFormats, 'table'));
  return addHistoryOptions(command, sourceHelp).action(
    async ({ list, reopen, format, ...options }: CloseFlags) => {
      // Prices that were closed with a mistake are put right after the period is opened again, or before.
      const config = await loadHistoryConfig(command, io, reopen || list);
      const context = { config, now: now() };
      // Loaded here alone: SQLite costs `--help` a noticeable time.
      if (list) {
        const { renderClosed } = await import('../report/bill/closing/close.ts');
        io.stdout(renderClosed(context, format));
      } else if (reopen) {
        const { reopenPeriod } = await import('../report/bill/closing/close.ts');
        io.stdout(withLines(await reopenPeriod(options, context)));
      } else {
        const { closePeriod } = await import('../report/bill/closing/close.ts');
        const { sentences, accepted } = await closePeriod(options, context);
        io.stdout(withLines(sentences));
        for (const sentence of accepted) printNote(io, 'accepted', sentence);
      }
    },
  );
}

function withLines(sentences: readonly string[]): string {
  return sentences.map(sentence => `${sentence}\n`).join('');
}
