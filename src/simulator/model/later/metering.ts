import type { SimulatedAccount } from '../account.ts';
import { countUsage } from '../endpoint.ts';
import { hourOf, hourSeconds, type Month, monthOf } from '../meter/hour-series.ts';
import { type MeterBook, usedInMonth, writeBook } from '../meter/meter-book.ts';
import type { Column } from '../meter/metered-metric.ts';
import { type StoredBytes, storedBytesAt } from '../meter/storage.ts';
import type { SimulatedProject } from '../project.ts';
import type { LaterAccount } from './later-account.ts';
import type { LaterProject } from './later-project.ts';

/** What was metered of a project by now. Throws where the service keeps to the contract, which meters nothing. */
export function readMeter(account: SimulatedAccount, project: SimulatedProject): MeterBook {
  const { meter, book } = requireLater(project);
  for (const endpoint of project.endpoints) countUsage(endpoint);
  writeBook(book, meter, requireTerms(account), account.timeline.now);
  return book;
}

/** The billing period that a second lies in: a calendar month. */
export function periodOf(second: number): Month {
  return monthOf(hourOf(second));
}

export function startOfHour(hour: number): number {
  return hour * hourSeconds;
}

/** What was used of a column in the present period. */
export function usedInPeriod(account: SimulatedAccount, project: SimulatedProject, column: Column): number {
  return usedInMonth(readMeter(account, project), column, hourOf(account.timeline.now));
}

/** What was stored of a project when the present hour began. */
export function storedBytes(account: SimulatedAccount, project: SimulatedProject): StoredBytes {
  const { checkpoint } = readMeter(account, project);
  return storedBytesAt(checkpoint.storage, requireLater(project).meter, checkpoint.hour);
}

export function requireLater({ later, id }: SimulatedProject): LaterProject {
  if (later === undefined) throw new Error(`project ${id} knows the contract alone`);
  return later;
}

export function requireTerms({ later }: SimulatedAccount): LaterAccount {
  if (later === undefined) throw new Error('the account knows the contract alone');
  return later;
}
