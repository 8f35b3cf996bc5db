import { type LedgerPart, ledgerParts } from '../cost/rating/chosen-ledger.ts';
import type { ComputeLedger, PriceBook } from '../resources/price-book.ts';
import type { ReportSubject } from './content.ts';
import { showInstant } from './format/shown-cell.ts';

const words: Readonly<Record<ComputeLedger, string>> = {
  metered: 'by the meter of the service',
  reported: 'by what the service reported',
  reconstructed: 'by the time its endpoints were awake',
};

/** Sentences on the ledgers that compute is charged by, where a meter was read or the price book names one. */
export function describeLedgers({ history, request }: ReportSubject, book: PriceBook): string[] {
  const { metered } = history.usage;
  return history.accounts.flatMap(account => {
    const parts = ledgerParts(history.usage, book.ledger, account, request.span);
    const isPlain = book.ledger === undefined && metered?.knownSpan(account) === undefined;
    if (isPlain) return [];
    const [only, ...others] = parts;
    if (only !== undefined && others.length === 0)
      return [`Compute of account ${account} is ${wordsOf(only)}.`];
    const said = parts.map(part => {
      const [from, until] = [part.fromAt, part.untilAt].map(at => showInstant(at, request.span.timezone));
      return `${wordsOf(part)} from ${from} to ${until}`;
    });
    return [`Compute of account ${account} is ${said.join(', and ')}.`];
  });
}

function wordsOf({ ledger }: LedgerPart): string {
  return ledger === undefined ? 'not known' : words[ledger];
}
