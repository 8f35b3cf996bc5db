import { type ApiError, isTemporary } from '../../api/message/api-error.ts';
import { dayMs, minuteMs, renderDuration, secondMs } from '../../resources/duration.ts';
import { maxOf } from '../../resources/min-max.ts';
import { dateOf } from '../../resources/utc-date.ts';
import type { AccountPlan } from '../plan/account-plan.ts';
import { renderCount } from '../plan/format/count.ts';
import { describeLateness, renderVerdict } from '../plan/format/verdict.ts';
import {
  type Answer,
  type Answers,
  firstFailure,
  isCutShort,
  isToldByProject,
  type ListedProjects,
  middleOf,
  type ToldUse,
  valuesOf,
} from './answers.ts';

type Ending = Omit<CheckLine, 'check'>;

const ok = (says: string): Ending => ({ status: 'ok', says });
const warning = (says: string): Ending => ({ status: 'warning', says });
const failed = ({ message }: ApiError): Ending => ({ status: 'failed', says: message });
const leftOut = (says: string): Ending => ({ status: 'left_out', says });

/** The lines of a check, in the order of what rests on what. */
export function describeAnswers(answers: Answers, plan: AccountPlan | undefined): readonly CheckLine[] {
  const endings: Readonly<Record<string, Ending>> = {
    connection: describeConnection(answers),
    'API key': describeKey(answers),
    projects: describeProjects(answers),
    ...(answers.use && { compute: describeUse(answers.use) }),
    'API keys': describeApiKeys(answers),
    endpoints: describeSample(answers, 'endpoints'),
    operations: describeSample(answers, 'operations'),
    latency: describeLatency(answers),
    clock: describeClock(answers),
    'request budget': describePlan(plan),
  };
  return Object.entries(endings).map(([check, ending]) => ({ check, ...ending }));
}

function errorOf(answer: Answer<unknown> | undefined): ApiError | undefined {
  return answer !== undefined && 'error' in answer ? answer.error : undefined;
}

function isUnheard({ status, reason }: ApiError): boolean {
  return status === undefined && (reason === 'network' || reason === 'timeout');
}

/** A certificate that ends sooner is to be renewed. */
const renewalMs = 14 * dayMs;

function describeConnection({ projects, base_url, requests, certificate }: Answers): Ending {
  const error = errorOf(projects);
  if (error !== undefined && isUnheard(error)) return failed(error);
  if (requests.length === 0) return leftOut('nothing was asked');
  if (base_url.protocol !== 'https:') return ok('answers, without TLS');
  const says = 'answers over TLS, with a certificate that is trusted';
  if (certificate === undefined) return ok(says);
  const { endsAt, leftMs } = certificate;
  const until = `${says} and ends on ${dateOf(endsAt)}`;
  if (leftMs >= renewalMs) return ok(until);
  return warning(`${until}, in ${renderDuration(leftMs)}: who runs the service must renew it`);
}

function describeKey({ projects, apiKeys }: Answers): Ending {
  const errors = [errorOf(projects), errorOf(apiKeys)].filter(error => error !== undefined);
  const refused = errors.find(({ reason }) => reason === 'unauthorized');
  if (refused !== undefined) return failed(refused);
  const isAccepted = 'value' in projects || (apiKeys !== undefined && 'value' in apiKeys);
  const isForbidden = errors.some(({ reason }) => reason === 'forbidden');
  return isAccepted || isForbidden ? ok('accepted') : leftOut('not known: no list was answered');
}

function describeProjects({ projects }: Answers): Ending {
  if ('error' in projects) {
    const { error } = projects;
    const isToldAbove = isUnheard(error) || error.reason === 'unauthorized';
    return isToldAbove ? leftOut('not known: no list was answered') : failed(error);
  }
  const { listed, watched, pages, isWhole } = projects.value;
  const size = [
    countOf(listed, 'project'),
    ...(pages > 1 ? [`on ${pages} pages`] : []),
    ...(watched.length < listed ? [`, ${renderCount(watched.length)} of them watched`] : []),
  ];
  const says = size.join(' ').replaceAll(' ,', ',');
  if (isWhole) return watched.length === 0 ? warning(`${says}: ${describeNothing(listed)}`) : ok(says);
  return warning(`${says}, but the list is not whole: ${describeMissing(projects.value)}`);
}

function describeNothing(listed: number): string {
  return listed === 0
    ? 'if there are projects, use a key of the account they belong to'
    : 'look at projects.include and projects.exclude, which match names and ids';
}

function describeMissing(list: ListedProjects): string {
  const { rejected, unavailable } = list;
  if (isCutShort(list))
    return 'reading ended before it did, to spare the request budget; the daemon reads on';
  if (unavailable > 0)
    return `${countOf(unavailable, 'project')} could not be listed by the service in time; they are listed later`;
  return `${countOf(rejected, 'entry', 'entries')} cannot be read; check that base_url is that of an API of version 2`;
}

function describeUse(use: ToldUse): Ending {
  const { isTold, ofProject } = use;
  if (isToldByProject(use)) return ok('told by each project itself (compute_time_seconds)');
  if (ofProject === undefined) {
    return isTold
      ? warning('cpu_source: project needs endpoints or operations in collect.collectors')
      : warning('the list of projects does not tell cpu_used_sec: use and cost will not be known');
  }
  if ('error' in ofProject && isTemporary(ofProject.error.reason)) return failed(ofProject.error);
  return isTold
    ? warning('cpu_source is project, but a project itself does not tell compute_time_seconds: write auto')
    : warning('told neither by the list of projects nor by a project itself: use and cost will not be known');
}

function describeApiKeys({ apiKeys, collectors, projects }: Answers): Ending {
  if (!collectors.includes('api_keys')) return leftOut('off by collect.collectors');
  if (apiKeys === undefined) return leftOut('not asked');
  if ('value' in apiKeys) return ok(countOf(apiKeys.value, 'API key'));
  const { error } = apiKeys;
  const advice = error.reason === 'forbidden' ? ', or leave api_keys out of collect.collectors' : '';
  const isToldAbove = error.reason === 'unauthorized' && 'value' in projects;
  return isToldAbove ? leftOut('not known') : { status: 'failed', says: error.message + advice };
}

function describeSample({ sample, collectors }: Answers, collector: 'endpoints' | 'operations'): Ending {
  if (!collectors.includes(collector)) return leftOut('off by collect.collectors');
  if (sample === undefined) return leftOut('not asked');
  if (sample.projects === 0) return leftOut('there is no project to ask for them');
  const error = firstFailure(sample[collector]);
  if (error !== undefined) return failed(error);
  const read = sample[collector].filter(answer => 'value' in answer).length;
  if (read === 0) return leftOut('every project that was asked for them was deleted or busy; run it again');
  const endpoints = valuesOf(sample.endpoints).flat().length;
  const what = collector === 'endpoints' ? `, which have ${countOf(endpoints, 'endpoint')}` : '';
  return ok(`readable of ${read} sampled ${read === 1 ? 'project' : 'projects'}${what}`);
}

function describeLatency({ requests }: Answers): Ending {
  const took = requests.filter(({ isOk }) => isOk).map(({ durationMs }) => durationMs);
  const median = middleOf(took);
  if (median === undefined) return leftOut('not known: no list was answered');
  const of = took.length === 1 ? 'one request' : `${took.length} requests`;
  return ok(`median ${renderLatency(median)}, worst ${renderLatency(maxOf(took))}, of ${of}`);
}

function renderLatency(durationMs: number): string {
  return durationMs < secondMs ? `${Math.round(durationMs)} ms` : renderDuration(durationMs);
}

/** Dates have whole seconds, and answers take a while. */
const inStepMs = 2 * secondMs;
const toleratedSkewMs = minuteMs;

function describeClock({ clockSkewMs, requests }: Answers): Ending {
  if (!requests.some(({ isOk }) => isOk)) return leftOut('not known: no list was answered');
  if (clockSkewMs === undefined) return leftOut('the service does not say what time it is');
  const size = Math.abs(clockSkewMs);
  if (size <= inStepMs) return ok('that of the service and of this host are in step');
  const says = `that of the service is ${renderDuration(size)} ${clockSkewMs > 0 ? 'ahead of' : 'behind'} this host's`;
  if (size <= toleratedSkewMs) return ok(says);
  return warning(`${says}: set this host's by NTP; if it is right, tell who runs the service`);
}

function describePlan(plan: AccountPlan | undefined): Ending {
  if (plan === undefined) return leftOut('not known: it depends on how many projects there are');
  const status: CheckStatus = describeLateness(plan) === undefined ? 'ok' : 'warning';
  return { status, says: renderVerdict(plan) };
}

function countOf(count: number, one: string, many = `${one}s`): string {
  return `${renderCount(count)} ${count === 1 ? one : many}`;
}

/** How a part of a check ended; what was not asked, or cannot be told, is left out. */
export type CheckStatus = 'ok' | 'warning' | 'failed' | 'left_out';

/** One line of a check. What failed says what to do about it. */
export interface CheckLine {
  readonly check: string;
  readonly status: CheckStatus;
  readonly says: string;
}

/** The ways a check is written. */
export const checkFormats = ['table', 'json'] as const;
export type CheckFormat = (typeof checkFormats)[number];
