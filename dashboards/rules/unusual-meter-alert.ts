import { unusualMeterFamilies } from '../../src/resources/usage/project.ts';
import { select } from '../promql.ts';
import { defineAlert } from './alert.ts';
import { named, project } from './example.ts';
import { nameProject } from './rule-scope.ts';

const { unusualTransferBytes, unusualStorageGrowthBytes, unusualExtraBranches } = unusualMeterFamilies;

/** Whether what the service meters is as usual. */
export const unusualMeterAlerts = [
  defineAlert({
    name: 'DbpmMeterUnusual',
    severity: 'info',
    for: '30m',
    thresholds: {},
    board: 'dbpm-project',
    summary: 'A project transferred, stored or branched far more than it usually does.',
    headline:
      'Project {{ $labels.project_name }}: {{ $value | humanize }} {{ $labels.metered }} beyond its habit.',
    description:
      'The meter of the service tells of {{ $value | humanize }} {{ $labels.metered }} in a day of project {{ $labels.project_name }} ({{ $labels.project_id }}) beyond its habit. If nobody planned it, look for an export that is repeated, a load that does not end, or branches that nobody deletes.',
    expression: scope =>
      nameProject(
        scope,
        [
          '(',
          `  ${meteredAs(scope.select(unusualTransferBytes), 'bytes of $1 transfer', 'network')}`,
          '  or',
          `  ${meteredAs(scope.select(unusualStorageGrowthBytes), 'bytes of new storage ($1)', 'kind')}`,
          '  or',
          `  ${meteredAs(scope.select(unusualExtraBranches), 'extra branches')}`,
          ')',
        ].join('\n'),
      ),
    examples: {
      fires: {
        series: {
          ...named,
          [select(unusualTransferBytes, { ...project, network: 'public' })]: '_x9 64e9x60 stale',
        },
        quietAt: '38m',
        firesAt: '39m',
        resolvedAt: '70m',
        labels: { ...project, project_name: 'shop', network: 'public', metered: 'bytes of public transfer' },
        headline: 'Project shop: 64G bytes of public transfer beyond its habit.',
        description:
          'The meter of the service tells of 64G bytes of public transfer in a day of project shop (p1) beyond its habit. If nobody planned it, look for an export that is repeated, a load that does not end, or branches that nobody deletes.',
      },
      quiet: {
        // Found so late in the day after that half an hour was not left of it.
        series: {
          ...named,
          [select(unusualStorageGrowthBytes, { ...project, kind: 'root_branch' })]: '20e9x20 stale',
          [select(unusualExtraBranches, project)]: '_x20 40x20 stale',
        },
        at: '60m',
      },
    },
  }),
];

/** Samples with what they count as the label `metered`; `$1` stands for the value of a label. */
function meteredAs(expression: string, text: string, label = ''): string {
  return `label_replace(${expression} > 0, "metered", "${text}", "${label}", "(.*)")`;
}
