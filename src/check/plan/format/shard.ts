import { renderDuration } from '../../../resources/duration-text.ts';
import type { AccountPlan } from '../account-plan.ts';
import type { ShardPlan } from '../shard-plan.ts';
import type { StorageEngine } from '../stored-sample.ts';
import { renderBytes, renderCount } from './count.ts';

/** Sentences on what all shards take together, and on whether they are enough. */
export function renderShards({ plan }: AccountPlan, shards: ShardPlan): string[] {
  const { count, memoryBytes, series, stored, scrapeMs, proven } = shards;
  const lists = renderCount(plan.allowed.lists * count);
  const again = renderCount(plan.allowed.lists * (count - 1));
  const kept = (engine: StorageEngine) => {
    const { perDay, perSample } = stored[engine];
    return `${renderBytes(perDay)} a day (${perSample} bytes a sample)`;
  };
  return [
    `A shard takes about ${renderBytes(memoryBytes)} of memory. All of them show ${renderCount(series)} series, which, scraped every ${renderDuration(scrapeMs)}, take Prometheus up to ${kept('prometheus')} and VictoriaMetrics ${kept('victoriametrics')}.`,
    `Each shard reads the whole list: ${lists} requests a minute of all shards, of which one exporter for all projects would not send ${again}.`,
    count < proven
      ? `One exporter is proven to 10,000 projects and 2 million series: ${proven} shards keep each within that.`
      : 'Each is no larger than one exporter is proven to be.',
  ];
}
