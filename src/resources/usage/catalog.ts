import {
  accountLabels,
  budgetLabels,
  endpointFindingLabels,
  type FamilyGroup,
  groupLabels,
  type LabelScope,
  projectFindingLabels,
  projectLabels,
} from '../family.ts';
import type { PricedFinding, PricedProjectFinding } from '../finding.ts';
import { accountUsageFamilies } from './account.ts';
import { budgetUsageFamilies } from './budget.ts';
import {
  accountFindingFamilies,
  doneFindingFamilies,
  endpointFindingFamilies,
  projectFindingFamilies,
} from './finding.ts';
import { forecastFamilies } from './forecast.ts';
import { groupUsageFamilies } from './group.ts';
import {
  accountLedgerFamilies,
  projectAwakeFamilies,
  projectLedgerFamilies,
  reconstructionFamilies,
} from './ledger-drift.ts';
import { projectUsageFamilies, unusualMeterFamilies } from './project.ts';
import type {
  AccountUsage,
  AwakeDrift,
  BudgetUsage,
  GroupUsage,
  LedgerDrift,
  ProjectUsage,
  UsageView,
} from './view.ts';

/** Families over what is used and costs: all of it is worked out, and put on the page, at once. */
export type UsageGroup = FamilyGroup<UsageView, unknown> & { readonly unit: 'usage' };
type UsageScope<Subject> = LabelScope<UsageView, Subject> & { readonly unit: 'usage' };

const perAccount: UsageScope<AccountUsage> = {
  unit: 'usage',
  labels: accountLabels,
  labelValues: ({ account }) => [account],
  subjects: ({ accounts }) => accounts,
};

const perGroup: UsageScope<GroupUsage> = {
  unit: 'usage',
  labels: groupLabels,
  labelValues: ({ account, grouping, group }) => [account, grouping, group],
  subjects: ({ accounts }) => accounts.flatMap(({ groups }) => groups),
};

const perProject: UsageScope<ProjectUsage> = {
  unit: 'usage',
  labels: projectLabels,
  labelValues: ({ account, project_id }) => [account, project_id],
  subjects: ({ accounts }) => accounts.flatMap(({ projects }) => projects),
};

const perLedgerDrift: UsageScope<LedgerDrift> = {
  unit: 'usage',
  labels: projectLabels,
  labelValues: ({ account, project_id }) => [account, project_id],
  subjects: ({ accounts }) => accounts.flatMap(({ ledgers }) => ledgers?.drifting ?? []),
};

const perAwakeDrift: UsageScope<AwakeDrift> = {
  unit: 'usage',
  labels: projectLabels,
  labelValues: ({ account, project_id }) => [account, project_id],
  subjects: ({ accounts }) => accounts.flatMap(({ awakeDrifts = [] }) => awakeDrifts),
};

/** An endpoint has at most one finding of a kind. */
const perEndpointFinding: UsageScope<PricedFinding> = {
  unit: 'usage',
  labels: endpointFindingLabels,
  labelValues: ({ account, project_id, endpoint_id, kind }) => [account, project_id, endpoint_id, kind],
  subjects: ({ accounts }) => accounts.flatMap(({ findings = [] }) => findings),
};

/** A project has at most one finding of a kind. */
const perProjectFinding: UsageScope<PricedProjectFinding> = {
  unit: 'usage',
  labels: projectFindingLabels,
  labelValues: ({ account, project_id, kind }) => [account, project_id, kind],
  subjects: ({ accounts }) => accounts.flatMap(({ branchFindings = [] }) => branchFindings),
};

const perBudget: UsageScope<BudgetUsage> = {
  unit: 'usage',
  labels: budgetLabels,
  labelValues: ({ budget }) => [budget],
  subjects: ({ budgets }) => budgets,
};

/** All that is shown of use and cost. */
export const usageGroups: readonly UsageGroup[] = [
  { ...perAccount, families: accountUsageFamilies },
  { ...perAccount, families: forecastFamilies },
  { ...perAccount, families: reconstructionFamilies, fedBy: ['endpoints'] },
  { ...perAccount, families: accountLedgerFamilies },
  { ...perLedgerDrift, families: projectLedgerFamilies, fedBy: ['consumption'] },
  { ...perAwakeDrift, families: projectAwakeFamilies, fedBy: ['endpoints'] },
  { ...perGroup, families: groupUsageFamilies },
  { ...perProject, families: projectUsageFamilies },
  { ...perProject, families: unusualMeterFamilies, fedBy: ['consumption'] },
  { ...perAccount, families: accountFindingFamilies, fedBy: ['endpoints'] },
  { ...perAccount, families: doneFindingFamilies, fedBy: ['endpoints'] },
  { ...perEndpointFinding, families: endpointFindingFamilies, fedBy: ['endpoints'] },
  { ...perProjectFinding, families: projectFindingFamilies, fedBy: ['branches'] },
  { ...perBudget, families: budgetUsageFamilies },
];
