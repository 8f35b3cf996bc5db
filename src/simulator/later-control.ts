import { readFlag, readNumber, required } from './field.ts';
import { findProject, type SimulatedAccount } from './model/account.ts';
import { type Quota, quotaLimits } from './model/later/later-project.ts';
import { requireLater } from './model/later/metering.ts';
import { showListedProject } from './model/later/project-form.ts';
import { enforceQuota } from './model/later/quota.ts';
import type { BodyFields } from './request-body.ts';
import type { Route } from './router.ts';

/** The control calls on what only later versions of the service know. */
export function laterControlRoutes(account: SimulatedAccount): readonly Route[] {
  if (account.later === undefined) return [];
  return [
    {
      method: 'POST',
      path: '/projects/{id}/unavailable',
      fields: ['unavailable'],
      answer(call) {
        const project = findProject(account, call.param('id'));
        requireLater(project).isUnavailable = required(readFlag(call.body, 'unavailable'), 'unavailable');
        return { status: 200, body: showListedProject(account, project) };
      },
    },
    {
      method: 'POST',
      path: '/projects/{id}/quota',
      fields: quotaLimits,
      answer(call) {
        const project = findProject(account, call.param('id'));
        const later = requireLater(project);
        later.quota = readQuota(call.body);
        later.quotaReachedAt = undefined;
        enforceQuota(account, project);
        return { status: 200, body: showListedProject(account, project) };
      },
    },
  ];
}

function readQuota(body: BodyFields): Quota {
  const limits = quotaLimits.map(limit => [limit, readNumber(body, limit, { minimum: 1, whole: true })]);
  return Object.fromEntries(limits.filter(([, most]) => most !== undefined));
}
