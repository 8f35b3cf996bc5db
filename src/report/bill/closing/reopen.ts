import { labelBilling } from '../../../cost/calendar/billing-name.ts';
import { readBill } from '../../../cost/closing/frozen-bill.ts';
import { readClosedPeriods, recordReopened } from '../../../history/closing/closed-period.ts';
import type { ClosedPeriod } from '../../../resources/closed-period.ts';
import { Failure } from '../../../resources/failure.ts';
import { type BillContext, type BillOptions, readBilledPeriod } from '../billed-period.ts';
import { findClosed } from './closed-list.ts';

/**
 * Opens a closed billing period again: its bill is worked out anew from then on. That it was closed stays on record.
 *
 * @returns a sentence on each account.
 * @throws Failure when it is not closed or cannot be opened, HistoryError when the history cannot be read or written.
 */
export async function reopenPeriod(options: BillOptions, context: BillContext): Promise<readonly string[]> {
  const request = await readBilledPeriod(options, context);
  const closed = findClosed(request);
  if (closed.length === 0) {
    throw new Failure(
      `the billing period ${labelBilling(request.span)} is not closed: close --list shows which are`,
      'usage',
    );
  }
  const { file } = context.config.history;
  for (const each of closed) refuseAdjusted(each, readClosedPeriods(file));
  recordReopened(file, closed, request.now);
  return closed.map(
    each => `The billing period ${labelBilling(each)} of account ${each.account} is open again.`,
  );
}

/** What was found later and is in the bill of a later closed period would be charged twice. */
function refuseAdjusted({ account, fromAt, ...rest }: ClosedPeriod, all: readonly ClosedPeriod[]): void {
  const later = all
    .filter(each => each.account === account)
    .find(each => readBill(each, []).lines.some(({ foundOf }) => foundOf === fromAt));
  if (later === undefined) return;
  const name = labelBilling({ fromAt, untilAt: rest.untilAt });
  throw new Failure(
    `the billing period ${labelBilling(later)} of account ${account} is closed with what was found later for ${name}: open that one again first`,
  );
}
