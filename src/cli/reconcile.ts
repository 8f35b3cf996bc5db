import { Command } from 'commander';
import type { ReconcileOptions } from '../report/bill/invoice/reconcile.ts';
import { type BillFormat, billFormats } from '../report/kind.ts';
import { Failure } from '../resources/failure.ts';
import { addHistoryOptions, loadHistoryConfig } from './history-command.ts';
import type { Io } from './io.ts';
import { wordOption } from './option.ts';

const sourceHelp = `
The invoice is CSV with a line of column names. The section reconcile of the configuration says what its columns and lines
mean; usual names need none. Exit code 3: it differs by more than the tolerance. Rounding does not count.
`;

interface ReconcileFlags extends ReconcileOptions {
  readonly format: BillFormat;
}

/** `reconcile`: a vendor's invoice beside the bill of a billing period. */
export function reconcileCommand(
  io: Io,
  { now = () => Date.now() }: { readonly now?: () => number } = {},
): Command {
  const command = new Command('reconcile')
    .description("compare a vendor's invoice with what was worked out, and name what differs")
    .requiredOption('--invoice <path>', 'the invoice as CSV, such as invoice.csv')
    .option(
      '--period <period>',
      'the billing period of the invoice, such as billing:2026-10 (default: last-billing)',
    )
    .option('--account <name>', 'the account of the invoice (default: the only one)')
    .option(
      '--tolerance <difference>',
      'the largest difference that is none, such as 0.01 or 0.5% (default: reconcile.tolerance, or 0.01)',
    )
    .addOption(wordOption('--format <format>', 'how it is written', billFormats, 'table'));
  return addHistoryOptions(command, sourceHelp).action(async ({ format, ...options }: ReconcileFlags) => {
    const config = await loadHistoryConfig(command, io);
    // Loaded here alone: SQLite costs `--help` a noticeable time.
    const { reconcileInvoice } = await import('../report/bill/invoice/reconcile.ts');
    const { renderReconciliation } = await import('../report/bill/invoice/reconciliation.ts');
    const reconciliation = await reconcileInvoice(options, { config, now: now() });
    io.stdout(renderReconciliation(reconciliation, format));
    if (reconciliation.isWithinTolerance) return;
    throw new Failure(
      `the invoice differs by more than the tolerance of ${reconciliation.tolerance}`,
      'partial',
    );
  });
}
