import { largest } from '../../../resources/extreme.ts';
import type { AccountCheck } from '../account-check.ts';
import type { CheckStatus } from '../check-line.ts';

const words: Readonly<Record<CheckStatus, string>> = {
  ok: 'ok',
  warning: 'warn',
  failed: 'FAIL',
  left_out: '-',
};
const wordWidth = largest(Object.values(words).map(({ length }) => length));

/** Gives a word for a status the colour it has on a terminal. */
export type PaintStatus = (word: string, status: CheckStatus) => string;

/** Checks for people: a text for each account, an empty line between them. */
export function renderCheckTables(checks: readonly AccountCheck[], paint: PaintStatus): string {
  return checks.map(check => renderCheck(check, paint)).join('\n');
}

function renderCheck({ answers, lines }: AccountCheck, paint: PaintStatus): string {
  const { account, base_url, org_id } = answers;
  const organisation = org_id === undefined ? '' : `, organisation ${org_id}`;
  const width = largest(lines.map(({ check }) => check.length));
  return [
    `Account ${account}, ${base_url}${organisation}`,
    '',
    ...lines.map(
      ({ check, status, says }) =>
        `  ${paint(words[status].padEnd(wordWidth), status)}  ${check.padEnd(width)}  ${says}`,
    ),
    '',
  ].join('\n');
}
