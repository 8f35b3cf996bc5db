import { findProject, type SimulatedAccount } from './model/account.ts';
import { granularities } from './model/later/billed-period.ts';
import { showBranches } from './model/later/branch-form.ts';
import { addConsumption, changePlan, deleteBranch } from './model/later/change.ts';
import { type LaterPlan, laterPlans } from './model/later/later-account.ts';
import { type Quota, quotaLimits } from './model/later/later-project.ts';
import { requireLater } from './model/later/metering.ts';
import { showListedProject, showSingleProject } from './model/later/project-form.ts';
import { enforceQuota } from './model/later/quota.ts';
import { type Addition, additions } from './model/meter/project-meter.ts';
import { Refusal } from './model/refusal.ts';
import { describeConsumption, describeLaterAccount } from './model/truth.ts';
import { readWord } from './query.ts';
import { type BodyFields, readFlag, readNumber, readText, required } from './request-body.ts';
import { get, post, type Route, remove } from './router.ts';

/** The control calls on what only later versions of the service know. */
export function laterControlRoutes(account: SimulatedAccount): readonly Route[] {
  if (account.later === undefined) return [];
  return [...projectRoutes(account), ...meterRoutes(account)];
}

function projectRoutes(account: SimulatedAccount): readonly Route[] {
  return [
    post('/projects/{id}/unavailable', { fields: ['unavailable'] }, call => {
      const project = findProject(account, call.param('id'));
      requireLater(project).isUnavailable = required(readFlag(call.body, 'unavailable'), 'unavailable');
      return showListedProject(account, project);
    }),
    remove('/projects/{id}/branches/{branch_id}', call => {
      const project = findProject(account, call.param('id'));
      deleteBranch(project, call.param('branch_id'));
      return { branches: showBranches(account, project) };
    }),
    post('/projects/{id}/quota', { fields: quotaLimits }, call => {
      const project = findProject(account, call.param('id'));
      const later = requireLater(project);
      later.quota = readQuota(call.body);
      later.quotaReachedAt = undefined;
      enforceQuota(account, project);
      return showListedProject(account, project);
    }),
  ];
}

function meterRoutes(account: SimulatedAccount): readonly Route[] {
  return [
    post('/plan', { fields: ['plan'] }, ({ body }) => {
      const plan = required(readText(body, 'plan'), 'plan');
      if (!isPlan(plan)) throw new Refusal(400, `plan must be one of ${laterPlans.join(', ')}, not ${plan}`);
      changePlan(account, plan);
      return describeLaterAccount(account);
    }),
    post('/projects/{id}/consumption', { fields: additions }, call => {
      const project = findProject(account, call.param('id'));
      addConsumption(account, project, readAdditions(call.body));
      return showSingleProject(account, project);
    }),
    get('/truth/consumption', ({ query }) => {
      const granularity = readWord(query, 'granularity', granularities);
      return describeConsumption(account, granularity);
    }),
  ];
}

function isPlan(word: string): word is LaterPlan {
  return (laterPlans as readonly string[]).includes(word);
}

/** What is stored can shrink, what was used cannot. */
function readAdditions(body: BodyFields): Readonly<Partial<Record<Addition, number>>> {
  const amounts = additions.map(addition => {
    const isUse = /^(written|public|private)/.test(addition);
    const limits = { ...(isUse && { minimum: 0 }), whole: true };
    return [addition, readNumber(body, addition, limits) ?? 0] as const;
  });
  return Object.fromEntries(amounts);
}

function readQuota(body: BodyFields): Quota {
  const limits = quotaLimits.map(limit => [limit, readNumber(body, limit, { minimum: 1, whole: true })]);
  return Object.fromEntries(limits.filter(([, most]) => most !== undefined));
}
