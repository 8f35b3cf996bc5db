import type { AccountCheck } from '../account-check.ts';
import type { CheckFormat } from '../check-format.ts';
import { renderCheckJson } from './json.ts';
import { type PaintStatus, renderCheckTables } from './table.ts';

/**
 * Checks as one text.
 *
 * @param paint colours for a terminal; none unless given.
 */
export function renderChecks(
  checks: readonly AccountCheck[],
  format: CheckFormat,
  paint: PaintStatus = word => word,
): string {
  switch (format) {
    case 'table':
      return renderCheckTables(checks, paint);
    case 'json':
      return renderCheckJson(checks);
  }
}
