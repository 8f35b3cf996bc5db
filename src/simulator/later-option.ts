import type { LaterTerms } from './model/later/later-account.ts';

/** Options of a later version; none of them matters to the contract. */
export interface LaterOptions {
  /** The organisations that the projects are dealt out to; none by default. */
  readonly orgs?: LaterTerms['orgs'];
  /** Whose the keys are: `organisation` by default, `person` where there is not just one. */
  readonly keyOf?: LaterTerms['keyOf'];
  /** What the list says as `cpu_used_sec`; `present` by default. */
  readonly listCpu?: LaterTerms['listCpu'];
  /** Whether the list has deleted projects while they can be brought back; false by default. */
  readonly listDeleted?: boolean;
  /** How long timeframes still grow after their end, at most; 900 by default. */
  readonly consumptionLagSeconds?: number;
  /** Consumption requests a minute before 429; 50 by default. */
  readonly consumptionRatePerMinute?: number;
  /** Branches of a project that are not extra; 10 by default. */
  readonly includedBranches?: number;
  /** `month` by default. */
  readonly meteredIn?: LaterTerms['unit'];
}

export function laterTermsOf({
  orgs = [],
  keyOf = orgs.length === 1 ? 'organisation' : 'person',
  listCpu = 'present',
  listDeleted = false,
  consumptionLagSeconds = 900,
  includedBranches = 10,
  meteredIn: unit = 'month',
}: LaterOptions): LaterTerms {
  return { orgs, keyOf, listCpu, listDeleted, consumptionLagSeconds, includedBranches, unit };
}
