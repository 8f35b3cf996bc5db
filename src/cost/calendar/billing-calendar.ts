import { hourMs } from '../../resources/duration.ts';
import type { BillingPeriod } from '../../resources/price-book.ts';
import type { Calendar } from './calendar.ts';

/** Cuts all time into the billing periods of a price book, also the time before the anchor of fixed hours. */
export function billingCalendar(period: BillingPeriod): Calendar {
  if (period.kind === 'month') return monthCalendar(period.anchorDay);
  const lengthMs = period.hours * hourMs;
  return at => {
    const fromAt = period.anchorAt + Math.floor((at - period.anchorAt) / lengthMs) * lengthMs;
    return { fromAt, untilAt: fromAt + lengthMs };
  };
}

function monthCalendar(anchorDay: number): Calendar {
  return at => {
    const date = new Date(at);
    const year = date.getUTCFullYear();
    const month = date.getUTCMonth();
    const anchorAt = anchorOf(year, month, anchorDay);
    return at < anchorAt
      ? { fromAt: anchorOf(year, month - 1, anchorDay), untilAt: anchorAt }
      : { fromAt: anchorAt, untilAt: anchorOf(year, month + 1, anchorDay) };
  };
}

/** Midnight of the anchor day, or of the last day of a month that is shorter. */
function anchorOf(year: number, month: number, anchorDay: number): number {
  const lastDay = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
  return Date.UTC(year, month, Math.min(anchorDay, lastDay));
}
