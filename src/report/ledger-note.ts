import { labelBilling } from '../cost/calendar/billing-name.ts';
import { readBill } from '../cost/closing/frozen-bill.ts';
import { lengthOf, subtractStretches } from '../cost/price/dated.ts';
import { type LedgerPart, ledgerParts } from '../cost/rating/chosen-ledger.ts';
import type { CostLine } from '../cost/rating/cost-line.ts';
import { isClosed } from '../history/closing/closed-period.ts';
import type { ReportHistory } from '../history/usage/report-history.ts';
import type { ComputeLedger, PriceBook } from '../resources/price-book.ts';
import type { ReportSubject } from './content.ts';
import { showInstant } from './format/shown-cell.ts';

const words: Readonly<Record<ComputeLedger, string>> = {
  metered: 'by the meter of the service',
  reported: 'by what the service reported',
  reconstructed: 'by the time its endpoints were awake',
};

type LedgerSubject = Pick<ReportSubject, 'history'> & {
  readonly request: Pick<ReportSubject['request'], 'span'>;
};

/**
 * Sentences on the ledgers that compute is charged by, where a meter was read or the price book names one.
 *
 * @param which such as ` in 2026-10`, where there are several figures of an account.
 */
export function describeLedgers({ history, request }: LedgerSubject, book: PriceBook, which = ''): string[] {
  const { span } = request;
  const show = (at: number) => showInstant(at, span.timezone);
  return history.accounts.flatMap(account => {
    if (isPlain(history, book, account)) return [];
    const closed = history.closings.filter(
      each =>
        isClosed(each) &&
        each.account === account &&
        each.fromAt >= span.fromAt &&
        each.untilAt <= span.untilAt,
    );
    const open = subtractStretches(span, closed);
    const parts = open.flatMap(stretch => ledgerParts(history.usage, book.ledger, account, stretch));
    const [only, ...others] = parts;
    const isOne = only !== undefined && others.length === 0 && lengthOf(open) === span.untilAt - span.fromAt;
    const said = isOne
      ? [wordsOf(only)]
      : parts.map(part => `${wordsOf(part)} from ${show(part.fromAt)} to ${show(part.untilAt)}`);
    return [
      ...(said.length > 0 ? [`Compute of account ${account}${which} is ${said.join(', and ')}.`] : []),
      ...closed.flatMap(each => {
        const ledgers = new Set(readBill(each, []).lines.flatMap(line => line.ledgers ?? []));
        const by = [...ledgers].map(ledger => words[ledger]).join(' and ');
        return by === ''
          ? []
          : [`Compute of the closed billing period ${labelBilling(each)} of account ${account} is ${by}.`];
      }),
    ];
  });
}

/** Sentences on the ledgers of two figures, each said once where they are the same. */
export function describeBothLedgers(
  [one, other]: readonly [LedgerSubject, LedgerSubject],
  [book, otherBook]: readonly [PriceBook, PriceBook],
  [which, otherWhich]: readonly [string, string],
): string[] {
  const [plain, otherPlain] = [describeLedgers(one, book), describeLedgers(other, otherBook)];
  const isSame = plain.length === otherPlain.length && plain.every(each => otherPlain.includes(each));
  if (isSame) return plain;
  return [
    ...new Set([...describeLedgers(one, book, which), ...describeLedgers(other, otherBook, otherWhich)]),
  ];
}

/** The ledgers that the compute of a line is by, in order of time; that of a closed bill is by those of then. */
export function ledgersOf(
  { usage }: Pick<ReportHistory, 'usage'>,
  book: PriceBook,
  line: CostLine,
): readonly ComputeLedger[] {
  if (line.kind !== 'usage') return [];
  return (
    line.ledgers ?? [
      ...new Set(ledgerParts(usage, book.ledger, line.account, line).flatMap(({ ledger }) => ledger ?? [])),
    ]
  );
}

/** Lines of a bill that say by which ledgers their compute is. */
export function nameLedgers(
  history: Pick<ReportHistory, 'usage'>,
  book: PriceBook,
  lines: readonly CostLine[],
): readonly CostLine[] {
  return lines.map(line =>
    line.kind !== 'usage' || isPlain(history, book, line.account)
      ? line
      : { ...line, ledgers: ledgersOf(history, book, line) },
  );
}

function isPlain({ usage }: Pick<ReportHistory, 'usage'>, book: PriceBook, account: string): boolean {
  return book.ledger === undefined && usage.metered?.knownSpan(account) === undefined;
}

function wordsOf({ ledger, isOpen }: LedgerPart): string {
  if (isOpen) return 'by the larger of what the service reported and what its meter told so far';
  return ledger === undefined ? 'not known' : words[ledger];
}
