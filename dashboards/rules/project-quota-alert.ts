import { laterProjectFamilies } from '../../src/resources/later-project.ts';
import { select } from '../promql.ts';
import { defineAlert } from './alert.ts';
import { named, project } from './example.ts';
import { nameProject } from './rule-scope.ts';

const { quotaUsedRatio } = laterProjectFamilies;
const used = select(quotaUsedRatio, { ...project, quota: 'compute_time' });

/** Whether projects come near to limits at which the service suspends them. */
export const projectQuotaAlerts = [
  defineAlert({
    name: 'DbpmProjectQuotaNearlyUsed',
    severity: 'warning',
    for: '5m',
    thresholds: {
      share: { kind: 'number', default: '0.9', help: 'the part of a limit from which on it is nearly used' },
    },
    board: 'dbpm-project',
    summary: 'A project has nearly used a limit at which the service suspends it.',
    headline:
      'Project {{ $labels.project_name }} has used {{ $value | humanizePercentage }} of its limit of {{ $labels.quota }}.',
    description:
      'Project {{ $labels.project_name }} ({{ $labels.project_id }}) of account {{ $labels.account }} has used {{ $value | humanizePercentage }} of its limit of {{ $labels.quota }}. At 100% the service suspends its endpoints, and nobody can connect until the limit is raised or, where it is one of a period, the next one begins. Raise the limit, or find what uses so much.',
    expression: (scope, { share }) => nameProject(scope, `(${scope.select(quotaUsedRatio)} >= ${share})`),
    examples: {
      fires: {
        series: {
          ...named,
          [used]: '0.89x9 0.91x19 0.1x30',
        },
        quietAt: '14m',
        firesAt: '15m',
        resolvedAt: '31m',
        labels: { ...project, project_name: 'shop', quota: 'compute_time' },
        headline: 'Project shop has used 91% of its limit of compute_time.',
        description:
          'Project shop (p1) of account main has used 91% of its limit of compute_time. At 100% the service suspends its endpoints, and nobody can connect until the limit is raised or, where it is one of a period, the next one begins. Raise the limit, or find what uses so much.',
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
