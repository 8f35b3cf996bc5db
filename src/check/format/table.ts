import { largest } from '../../resources/extreme.ts';
import type { AccountCheck } from '../account-check.ts';
import type { CheckStatus } from '../check-line.ts';

const words: Readonly<Record<CheckStatus, string>> = {
  ok: 'ok',
  warning: 'warn',
  failed: 'FAIL',
  left_out: '-',
};
const wordWidth = largest(Object.values(words).map(({ length }) => length));

/** Checks for people: a text for each account, an empty line between them. */
export function renderCheckTables(checks: readonly AccountCheck[]): string {
  return checks.map(renderCheck).join('\n');
}

function renderCheck({ answers: { account, base_url }, lines }: AccountCheck): string {
  const width = largest(lines.map(({ check }) => check.length));
  return [
    `Account ${account}, ${base_url}`,
    '',
    ...lines.map(
      ({ check, status, says }) => `  ${words[status].padEnd(wordWidth)}  ${check.padEnd(width)}  ${says}`,
    ),
    '',
  ].join('\n');
}
