import { branchFamilies } from '../../src/resources/branch.ts';
import { endpointFamilies } from '../../src/resources/endpoint.ts';
import { laterProjectFamilies as families } from '../../src/resources/later-project.ts';
import { labelList, type Metric } from '../promql.ts';
import type { Section } from './board.ts';
import { risingBands, toMappings } from './look.ts';
import { onProject } from './name.ts';
import { age, scoped } from './scope.ts';
import { table } from './table.ts';

/** An auto-suspend delay, with words for the two that are none. */
const delay = {
  unit: 's',
  mappings: toMappings([
    [-1, 'never', 'orange'],
    [0, 'default of the plan', 'text'],
  ]),
} as const;

/** Panels on what later versions of the service say of the project; empty where it does not. */
export const projectSettingSection: Section = {
  title: 'Settings and limits',
  isFolded: true,
  panels: [
    table({
      title: 'Auto-suspend',
      description: 'How long each endpoint stays awake after its last use, where the service says so.',
      height: 7,
      filledBy: 'later service',
      labels: [{ label: 'endpoint_id', title: 'Endpoint' }],
      values: [
        {
          title: 'Suspends after',
          expression: `max ${labelList('by', endpointFamilies.suspendTimeout, 'endpoint_id')} (${scoped(endpointFamilies.suspendTimeout)})`,
          ...delay,
        },
      ],
      sortBy: 'Endpoint',
      ascending: true,
    }),
    table({
      title: 'Limits',
      description:
        'Limits at which the service suspends the project, in seconds or bytes of a period, and the part of each that is used as far as it is known.',
      height: 7,
      filledBy: 'later service',
      labels: [{ label: 'quota', title: 'Limit', words: 'own' }],
      values: [
        { title: 'Time', expression: byQuota(families.quotaSeconds), unit: 's' },
        { title: 'Bytes', expression: byQuota(families.quotaBytes), unit: 'bytes' },
        {
          title: 'Used',
          expression: byQuota(families.quotaUsedRatio),
          unit: 'percentunit',
          bands: risingBands(0.75, 0.9),
        },
      ],
      sortBy: 'Used',
    }),
    table({
      title: 'Storage and dates',
      description:
        'What the project stores, how far back it can be restored, and what the service plans for it: the next maintenance, new limits, and until when it can be brought back if it was deleted.',
      width: 24,
      height: 5,
      filledBy: 'later service',
      labels: [
        { label: 'owner_id', title: 'Owner' },
        { label: 'org_name', title: 'Organisation' },
      ],
      values: [
        { title: 'Stored', expression: byOwner(scoped(families.storage)), unit: 'bytes' },
        { title: 'Restorable', expression: byOwner(scoped(families.historyRetention)), unit: 's' },
        {
          title: 'Maintenance in',
          expression: byOwner(untilThen(families.maintenanceStartTimestamp)),
          unit: 's',
        },
        { title: 'Limits anew in', expression: byOwner(untilThen(families.quotaResetTimestamp)), unit: 's' },
        { title: 'Deleted', expression: byOwner(age(families.deletedTimestamp)), unit: 's' },
        {
          title: 'Recoverable for',
          expression: byOwner(untilThen(families.recoverableUntilTimestamp)),
          unit: 's',
        },
        {
          title: 'Since activity',
          expression: byOwner(age(families.computeLastActiveTimestamp)),
          unit: 's',
        },
        { title: 'Awake in period', expression: byOwner(scoped(families.activeTimeReported)), unit: 's' },
        {
          title: 'Largest branch',
          expression: byOwner(scoped(families.branchLogicalSizeLimit)),
          unit: 'bytes',
        },
      ],
      sortBy: 'Stored',
    }),
    table({
      title: 'Endpoints by default',
      description:
        'Settings that endpoints of the project have where they have none of their own, as the service tells them.',
      width: 24,
      height: 4,
      filledBy: 'later service',
      labels: [{ label: 'project_id', title: 'Project' }],
      values: [
        {
          title: 'Suspended after',
          expression: byProject(scoped(families.defaultSuspendTimeout)),
          ...delay,
        },
        {
          title: 'Smallest size, CU',
          expression: byProject(scoped(families.defaultAutoscalingLimitMin)),
        },
        {
          title: 'Largest size, CU',
          expression: byProject(scoped(families.defaultAutoscalingLimitMax)),
        },
      ],
      sortBy: 'Suspended after',
    }),
    table({
      title: 'Branches',
      description:
        'How many branches the project has, its root among them, and of the others: since when the oldest is there, how many were never used, how many are still there though their time is over, and what their databases hold. Read where collect.branches is on.',
      width: 24,
      height: 5,
      filledBy: 'later service',
      labels: [{ label: 'project_id', title: 'Project' }],
      values: [
        { title: 'Branches', expression: byProject(scoped(branchFamilies.count)) },
        { title: 'Age of the oldest', expression: byProject(age(branchFamilies.oldestTimestamp)), unit: 's' },
        { title: 'Never used', expression: byProject(scoped(branchFamilies.neverUsed)) },
        { title: 'Expired', expression: byProject(scoped(branchFamilies.expired)) },
        { title: 'Hold', expression: byProject(scoped(branchFamilies.logicalBytes)), unit: 'bytes' },
      ],
      sortBy: 'Branches',
    }),
  ],
};

function byQuota(metric: Metric<'account' | 'project_id' | 'quota'>): string {
  return `max ${labelList('by', metric, 'quota')} (${scoped(metric)})`;
}

function byProject(expression: string): string {
  return `max ${labelList('by', branchFamilies.count, 'project_id')} (${expression})`;
}

/** A value of the project, beside whose it is. */
function byOwner(expression: string): string {
  const { owner } = families;
  const whose = labelList('group_left', owner, 'owner_id', 'org_name');
  return `max ${labelList('by', owner, 'owner_id', 'org_name')} ((${expression}) * ${onProject} ${whose} ${scoped(owner)})`;
}

/** Seconds until an instant. */
function untilThen<Label extends string>(metric: Metric<Label>): string {
  return `${scoped(metric)} - time()`;
}
