import { largest } from '../../../resources/extreme.ts';
import { toPlanDocument } from '../../plan/format/json.ts';
import { type AccountCheck, hasFailed } from '../account-check.ts';
import { valuesOf } from '../answers.ts';
import { middleOf } from '../middle.ts';

/** Checks for programs, as a JSON document: durations in seconds; what is not known is absent. */
export function renderCheckJson(checks: readonly AccountCheck[]): string {
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
    latency_seconds: took.length > 0 ? { median: middleOf(took), worst: largest(took) } : undefined,
    clock_skew_seconds: clockSkewMs === undefined ? undefined : Math.round(clockSkewMs / 1000),
    certificate_ends_at: answers.certificate && new Date(answers.certificate.endsAt).toISOString(),
    plan: plan && toPlanDocument({ planned: plan, source: 'as the account answers' }),
  };
}
