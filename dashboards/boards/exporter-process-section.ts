import { processFamilies } from '../../src/metrics/self/process-family.ts';
import { selfFamilies } from '../../src/metrics/self/self-family.ts';
import { labelList } from '../promql.ts';
import type { Section } from './board.ts';
import { toMappings, yesOrNo } from './look.ts';
import { timeline, timeseries } from './panel.ts';
import { age, growthIn, rate, scoped } from './scope.ts';

/** Panels on the exporter's use of its machine. */
export const exporterProcessSection: Section = {
  title: 'History and process',
  panels: [
    processSeries({
      title: 'History on disk',
      description: 'Size of the history file, its write-ahead log included.',
      unit: 'bytes',
      queries: [{ expression: scoped(selfFamilies.historySize), legend: ['instance'] }],
    }),
    processSeries({
      title: 'CPU of the exporter',
      description: 'CPU seconds the exporter itself used a second.',
      unit: 'percentunit',
      queries: [{ expression: rate(processFamilies.cpuSeconds), legend: ['instance'] }],
    }),
    processSeries({
      title: 'Memory of the exporter',
      description: 'Memory in RAM, and the part that JavaScript objects use.',
      unit: 'bytes',
      queries: [
        { expression: `sum(${scoped(processFamilies.residentMemory)})`, legend: 'in RAM' },
        { expression: `sum(${scoped(processFamilies.heapUsed)})`, legend: 'JavaScript objects' },
      ],
    }),
    processSeries({
      title: 'Delay of the event loop',
      description: 'How late timers fire; while it is high, scrapes wait.',
      unit: 's',
      queries: [
        { expression: `max(${scoped(selfFamilies.eventLoopDelayP99)})`, legend: '99th percentile' },
        { expression: `max(${scoped(selfFamilies.eventLoopDelayMax)})`, legend: 'longest' },
      ],
    }),
    processSeries({
      title: 'Series on the page',
      description: 'Series served to each scrape, those of the exporter about itself not counted.',
      unit: 'none',
      queries: [{ expression: scoped(selfFamilies.publishedSeries), legend: ['instance'] }],
    }),
    processSeries({
      title: 'Series left out',
      description:
        'Series that series.limit_per_family keeps off the page, by metric: alerts and boards know nothing of them.',
      unit: 'none',
      queries: [{ expression: droppedSeries(), legend: ['instance', 'family'] }],
    }),
    processSeries({
      title: 'Age of the page',
      description: 'Time since the page was last brought up to date with what is known.',
      unit: 's',
      queries: [{ expression: age(selfFamilies.publishedTimestamp), legend: ['instance'] }],
    }),
    processSeries({
      title: 'Time to publish',
      description: 'How long it took to bring the page up to date the last time.',
      unit: 's',
      queries: [{ expression: scoped(selfFamilies.publishDuration), legend: ['instance'] }],
    }),
    processSeries({
      title: 'Clients turned away',
      description:
        'Clients that were not served to the end, a minute, by reason. More than a few are too many readers, slow readers, or somebody who means harm.',
      unit: 'cpm',
      queries: [
        {
          expression: `60 * sum ${labelList('by', selfFamilies.httpTurnedAway, 'reason')} (${rate(selfFamilies.httpTurnedAway)})`,
          legend: ['reason'],
        },
      ],
    }),
    processSeries({
      title: 'Shards',
      description:
        'Exporters that share the projects of their accounts, and how many there should be by their configuration; 1 where one takes all projects.',
      unit: 'none',
      queries: [
        { expression: `max(${scoped(selfFamilies.shards)}) or vector(1)`, legend: 'configured' },
        { expression: `${countShards()} or vector(1)`, legend: 'there' },
      ],
    }),
    processSeries({
      title: 'Open files and sockets',
      description: 'File descriptors in use; a steady rise is a leak.',
      unit: 'none',
      queries: [{ expression: scoped(processFamilies.openFileDescriptors), legend: ['instance'] }],
    }),
    processSeries({
      title: 'Time since a history was set aside',
      description: 'Time since a damaged history was set aside; empty while none was.',
      unit: 's',
      queries: [{ expression: age(selfFamilies.historySetAsideTimestamp), legend: ['instance'] }],
    }),
    timeline({
      title: 'History damaged',
      description:
        'Whether a part of the history was found damaged: start the exporter anew, and look at the disk.',
      unit: 'none',
      width: 8,
      height: 7,
      mappings: yesOrNo('red', 'green'),
      queries: [{ expression: scoped(selfFamilies.historyDamaged), legend: ['instance'] }],
    }),
    processSeries({
      title: 'Age of the newest backup',
      description: 'Time since the newest backup of the history was made; empty while there is none.',
      unit: 's',
      queries: [{ expression: age(selfFamilies.historyBackupTimestamp), legend: ['instance'] }],
    }),
    timeline({
      title: 'Backups succeed',
      description: 'Whether the last attempt to make a backup of the history succeeded.',
      unit: 'none',
      width: 8,
      height: 7,
      mappings: yesOrNo('green', 'red'),
      queries: [{ expression: scoped(selfFamilies.historyBackupSuccess), legend: ['instance'] }],
    }),
    timeline({
      title: 'Standbys',
      description:
        'Which exporters wait for the history of another one; empty without --standby. When all of a history do, none watches.',
      unit: 'none',
      width: 12,
      height: 7,
      mappings: toMappings([
        [0, 'active', 'green'],
        [1, 'standby', 'blue'],
      ]),
      queries: [{ expression: scoped(selfFamilies.standby), legend: ['instance'] }],
    }),
    timeseries({
      title: 'Takeovers',
      description:
        'How often a standby took the history over within an hour; empty without --standby. More than a few are daemons that take it from each other.',
      unit: 'none',
      width: 12,
      height: 7,
      queries: [
        {
          expression: `max ${labelList('by', selfFamilies.takeovers, 'job')} (${growthIn('1h', selfFamilies.takeovers)})`,
          legend: ['job'],
        },
      ],
    }),
  ],
};

/** Two exporters for one shard are one. */
function countShards(): string {
  const { shardInfo } = selfFamilies;
  return `count(count ${labelList('by', shardInfo, 'shard')} (${scoped(shardInfo)}))`;
}

/** By metric where any are left out; otherwise, and without a limit, 0. */
function droppedSeries(): string {
  const { seriesDropped, publishedSeries } = selfFamilies;
  const on = labelList('on', publishedSeries, 'job', 'instance');
  return `${scoped(seriesDropped)} > 0 or ${on} 0 * ${scoped(publishedSeries)}`;
}

function processSeries(panel: Omit<Parameters<typeof timeseries>[0], 'width'>) {
  return timeseries({ ...panel, width: 8, height: 7 });
}
