import { accountFamilies } from '../../src/resources/account.ts';
import { laterProjectFamilies } from '../../src/resources/later-project.ts';
import { projectFamilies } from '../../src/resources/project.ts';
import { labelList, select } from '../promql.ts';
import { account, defineAlert, describedProject, named, outlastsSilence, project } from './alert.ts';
import { projectCpuHabit, projectCpuUse } from './recording-rule.ts';
import { nameProject, onAccount, renderDuration } from './rule-scope.ts';

const { collectorLastSuccessTimestamp, lastProjectGoneTimestamp } = accountFamilies;
const { info, cpuUsedSeconds } = projectFamilies;

const listRead = select(collectorLastSuccessTimestamp, { ...account, collector: 'projects' });
const lastGone = select(lastProjectGoneTimestamp, account);
const elsewhere = { ...account, account: 'other' } as const;

const { quotaUsedRatio } = laterProjectFamilies;
const used = select(quotaUsedRatio, { ...project, quota: 'compute_time' });

/** Whether projects are there and use what they usually use. */
export const projectAlerts = [
  defineAlert({
    name: 'DbpmProjectGone',
    severity: 'warning',
    for: '2m',
    keepFiringFor: outlastsSilence,
    thresholds: {
      window: { kind: 'duration', default: '1h', help: 'how long a vanished project is news' },
      list_age: {
        kind: 'duration',
        default: '5m',
        help: 'the list of projects must be younger for its gaps to mean something',
      },
    },
    board: 'dbpm-fleet',
    summary: 'A project is no longer in the list of its account.',
    headline: 'Project {{ $labels.project_name }} is no longer in the list of account {{ $labels.account }}.',
    description:
      'Project {{ $labels.project_name }} ({{ $labels.project_id }}) of account {{ $labels.account }} was deleted or moved: the list of projects is fresh and no longer has it. If it was not meant, ask the support of the service at once, while its data may still be there.',
    expression: (scope, { window, list_age }) =>
      [
        `last_over_time(${scope.select(info)}[${renderDuration(window)}])`,
        // Another exporter may have it now: a shard that it moved to.
        `unless ${labelList('on', info, 'account', 'project_id')}`,
        scope.select(info),
        `and ${onAccount}`,
        `${scope.select(collectorLastSuccessTimestamp, { collector: 'projects' })} > time() - ${list_age}`,
        `and ${onAccount}`,
        `${scope.select(lastProjectGoneTimestamp)} > time() - ${window}`,
      ].join('\n'),
    examples: {
      fires: {
        series: {
          [select(info, describedProject)]: '1x9 stale',
          [listRead]: '0+60x200',
          [lastGone]: '_x9 600x200',
        },
        quietAt: '11m',
        firesAt: '12m',
        resolvedAt: '80m',
        labels: describedProject,
      },
      quiet: {
        // A list cannot be read, and its series vanish in the end; elsewhere a project is left out.
        series: {
          [select(info, describedProject)]: '1x9 stale',
          [listRead]: '0x200',
          [lastGone]: '_x9 600x200',
          [select(info, { ...describedProject, ...elsewhere })]: '1x9 stale',
          [select(collectorLastSuccessTimestamp, { ...elsewhere, collector: 'projects' })]: '0+60x200',
          [select(lastProjectGoneTimestamp, elsewhere)]: '-90000x200',
        },
        at: '20m',
      },
    },
  }),
  defineAlert({
    name: 'DbpmProjectCpuUseUnusual',
    severity: 'warning',
    for: '15m',
    keepFiringFor: '30m',
    thresholds: {
      factor: { kind: 'number', default: '3', help: 'how many times its habit is unusual' },
      least: {
        kind: 'duration',
        default: '30m',
        help: 'compute time within an hour that is never worth an alert',
      },
    },
    board: 'dbpm-project',
    summary: 'A project uses far more compute than usual.',
    headline:
      'Project {{ $labels.project_name }} used {{ $value | printf "%.1f" }} compute hours within an hour, many times its habit.',
    description:
      'Project {{ $labels.project_name }} ({{ $labels.project_id }}) used {{ $value | printf "%.1f" }} compute hours within an hour, many times what it used at this time yesterday and a week ago. Look for a new client, a runaway query or a job that is stuck before the bill does.',
    expression: (scope, { factor, least }) => {
      const used = scope.select(projectCpuUse);
      return nameProject(
        scope,
        `(\n  ${used} / 3600 > ${least / 3600}\n  and\n  ${used} > ${factor} * ${scope.select(projectCpuHabit)}\n)`,
      );
    },
    examples: {
      evaluatedEvery: '5m',
      fires: {
        // Six minutes of compute an hour for a day and a half, then all of it.
        series: {
          ...named,
          [select(cpuUsedSeconds, project)]: '0+6x2160 13020+60x240 27426+6x300',
        },
        quietAt: '2200m',
        firesAt: '2205m',
        resolvedAt: '2465m',
        labels: { ...project, project_name: 'shop' },
        value: '0.8',
      },
      quiet: {
        // The same job at the same time every night.
        series: {
          ...named,
          [select(cpuUsedSeconds, project)]: '0x600 0+60x120 7200x1320 7200+60x120 14400x600',
        },
        at: '2140m',
      },
    },
  }),
  defineAlert({
    name: 'DbpmProjectQuotaNearlyUsed',
    severity: 'warning',
    for: '5m',
    keepFiringFor: outlastsSilence,
    thresholds: {
      share: { kind: 'number', default: '0.9', help: 'the part of a limit from which on it is nearly used' },
    },
    board: 'dbpm-project',
    summary: 'A project has nearly used one of its limits.',
    headline:
      'Project {{ $labels.project_name }} has used {{ $value | humanizePercentage }} of its limit of {{ $labels.quota }}.',
    description:
      'Project {{ $labels.project_name }} ({{ $labels.project_id }}) of account {{ $labels.account }} has used {{ $value | humanizePercentage }} of its limit of {{ $labels.quota }}. At 100% the service suspends its endpoints, and clients cannot connect until the limit is raised or, where it is one of a period, the next one begins. Raise the limit, or find what uses so much.',
    expression: (scope, { share }) => nameProject(scope, `(${scope.select(quotaUsedRatio)} >= ${share})`),
    examples: {
      fires: {
        series: {
          ...named,
          [used]: '0.89x9 0.91x19 0.1x30',
        },
        quietAt: '14m',
        firesAt: '15m',
        resolvedAt: '41m',
        labels: { ...project, project_name: 'shop', quota: 'compute_time' },
        value: '91%',
      },
      quiet: {
        series: {
          ...named,
          [used]: '0+0.02x44 0.89x15',
        },
        at: '50m',
      },
    },
  }),
];
