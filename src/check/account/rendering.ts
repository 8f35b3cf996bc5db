import { maxOf } from '../../resources/min-max.ts';
import { toPlanDocument } from '../plan/format/json.ts';
import { type AccountCheck, hasFailed } from './account-check.ts';
import type { CheckFormat, CheckLine, CheckStatus } from './account-line.ts';
import { middleOf, valuesOf } from './answers.ts';

const words: Readonly<Record<CheckStatus, string>> = {
  ok: 'ok',
  warning: 'warn',
  failed: 'FAIL',
  left_out: '-',
};
const wordWidth = maxOf(Object.values(words).map(({ length }) => length));

/** Gives a word for a status the colour it has on a terminal. */
type PaintStatus = (word: string, status: CheckStatus) => string;

/** A check for people, what is wrong first. */
function renderCheck({ answers, lines }: AccountCheck, paint: PaintStatus): string {
  const { account, base_url, org_id } = answers;
  const organisation = org_id === undefined ? '' : `, organisation ${org_id}`;
  const width = maxOf(lines.map(({ check }) => check.length));
  const render = ({ check, status, says }: CheckLine) =>
    `  ${paint(words[status].padEnd(wordWidth), status)}  ${check.padEnd(width)}  ${says}`;
  const [wrong, others] = [true, false].map(isWrong =>
    lines.filter(({ status }) => (status === 'failed') === isWrong).map(render),
  );
  return [
    `Account ${account}, ${base_url}${organisation}`,
    ...[wrong, others].flatMap((part = []) => (part.length > 0 ? ['', ...part] : [])),
    '',
  ].join('\n');
}

/** Checks as one text. */
export function renderChecks(
  checks: readonly AccountCheck[],
  format: CheckFormat,
  paint: PaintStatus,
): string {
  switch (format) {
    case 'table':
      return checks.map(check => renderCheck(check, paint)).join('\n');
    case 'json':
      return renderCheckJson(checks);
  }
}

/** Checks for programs, as a JSON document: durations in seconds; what is not known is absent. */
function renderCheckJson(checks: readonly AccountCheck[]): string {
  return `${JSON.stringify({ accounts: checks.map(toCheckDocument) }, null, 2)}\n`;
}

function toCheckDocument(check: AccountCheck): object {
  const { answers, plan, lines } = check;
  const { projects, apiKeys, sample, requests, clockSkewMs } = answers;
  const listed = 'value' in projects ? projects.value : undefined;
  const took = requests.filter(({ isOk }) => isOk).map(({ durationMs }) => durationMs / 1000);
  return {
    account: answers.account,
    base_url: answers.base_url.href,
    org_id: answers.org_id,
    readable: !hasFailed(check),
    checks: lines,
    projects: listed?.listed,
    watched_projects: listed?.watched.length,
    api_keys: apiKeys !== undefined && 'value' in apiKeys ? apiKeys.value : undefined,
    sampled_projects: sample?.projects,
    sampled_endpoints: sample && valuesOf(sample.endpoints).flat().length,
    requests: requests.length,
    failed_requests: requests.length - took.length,
    latency_seconds: took.length > 0 ? { median: middleOf(took), worst: maxOf(took) } : undefined,
    clock_skew_seconds: clockSkewMs === undefined ? undefined : Math.round(clockSkewMs / 1000),
    certificate_ends_at: answers.certificate && new Date(answers.certificate.endsAt).toISOString(),
    plan: plan && toPlanDocument({ planned: plan, source: 'as the account answers' }),
  };
}
