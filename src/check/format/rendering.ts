import type { AccountCheck } from '../account-check.ts';
import type { CheckFormat } from '../check-format.ts';
import { renderCheckJson } from './json.ts';
import { renderCheckTables } from './table.ts';

/** Checks as one text. */
export function renderChecks(checks: readonly AccountCheck[], format: CheckFormat): string {
  switch (format) {
    case 'table':
      return renderCheckTables(checks);
    case 'json':
      return renderCheckJson(checks);
  }
}
