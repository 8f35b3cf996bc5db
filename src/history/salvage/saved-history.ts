import { minuteMs } from '../../resources/duration.ts';
import type { SavedHistory, SaveOutcome } from '../file/damaged-file.ts';
import { describeCause } from '../file/history-error.ts';
import { type Salvage, salvageHistory } from './salvage.ts';
import { describeBegunAnew, describeLoss } from './salvage-text.ts';

/** Bulky tables that take longer are left out: measured, it saves some ten megabytes a second on a small machine. */
const mostMs = minuteMs;

/**
 * Saves what can be saved of a damaged history while a daemon starts, which no failure of it keeps from starting.
 *
 * @param from the damaged one.
 * @param to where the new one is to be, and nothing is yet.
 */
export function trySalvage(from: string, to: string): SaveOutcome {
  try {
    const salvage = salvageHistory({ from, to, mostMs });
    return salvage.isAny ? { saved: describeSaved(salvage) } : {};
  } catch (error) {
    return { failure: describeCause(error) };
  }
}

function describeSaved({ tables, begunAnew, isLogLost, isWhole }: Salvage): SavedHistory {
  const losses = tables
    .filter(({ isLeft }) => !isLeft)
    .map(table => ({ table: table.table, loss: describeLoss(table) }))
    .filter(({ loss }) => loss !== '')
    .map(({ table, loss }) => `${table}: ${loss}`);
  return {
    isWhole,
    lost: isLogLost ? [...losses, 'what was in the write-ahead log alone'] : losses,
    begunAnew: begunAnew.map(describeBegunAnew),
    leftOut: tables.filter(({ isLeft }) => isLeft).map(({ table }) => table),
  };
}
