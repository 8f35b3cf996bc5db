import type { MeterTerms } from '../meter/meter-book.ts';
import { hash } from '../random.ts';
import { Refusal } from '../refusal.ts';

/** Plans of later versions; `free` has no consumption history. */
export const laterPlans = ['free', 'launch', 'scale', 'enterprise'] as const;

export type LaterPlan = (typeof laterPlans)[number];

/** How a later version of the service is set up. */
export interface LaterTerms extends MeterTerms {
  /** The organisations that the projects are dealt out to; none where they belong to a person. */
  readonly orgs: readonly string[];
  /** Whose the keys are: a key of a person must name the organisation that it asks about. */
  readonly keyOf: 'person' | 'organisation';
  /** What the list says as `cpu_used_sec`. */
  readonly listCpu: 'present' | 'zero' | 'absent';
  /** Whether the list has deleted projects for as long as they can be brought back. */
  readonly listDeleted: boolean;
  /** The longest that timeframes still grow after their end. */
  readonly consumptionLagSeconds: number;
}

/** A plan from an hour on, counted from the epoch, until the next one begins. */
export interface PlanSpan {
  readonly plan: LaterPlan;
  readonly fromHour: number;
}

/** The part of an account that only later versions of the service know. */
export interface LaterAccount extends LaterTerms {
  /** Oldest first; the last one is in force, or will be from the next hour on. */
  readonly plans: PlanSpan[];
}

/** The organisation that a project is dealt out to. */
export function drawOrg({ orgs }: LaterTerms, projectId: string): string | undefined {
  return orgs[hash(projectId, 'organisation') % Math.max(1, orgs.length)];
}

/**
 * The organisation that a call asks about, undefined for a person's own projects. Throws a `Refusal`: 400 where a key
 * of a person who is in an organisation names none, 404 for one that the key does not belong to.
 */
export function resolveOrg({ orgs, keyOf }: LaterTerms, orgId: string | undefined): string | undefined {
  if (orgId === undefined) {
    if (orgs.length === 0 || keyOf === 'organisation') return orgs[0];
    throw new Refusal(400, 'org_id is required, you can find it on your organization settings page');
  }
  if (orgs.includes(orgId)) return orgId;
  throw new Refusal(404, `the account is not a member of the organization ${orgId}`);
}

/** `org-calm-sky-12345678` is called Calm Sky. */
export function nameOfOrg(orgId: string): string {
  const words = orgId.split('-').filter(word => word !== 'org' && /^[a-z]/i.test(word));
  return words.map(word => `${word.charAt(0).toUpperCase()}${word.slice(1)}`).join(' ') || orgId;
}
