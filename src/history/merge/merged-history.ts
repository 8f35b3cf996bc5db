import { largest, smallest } from '../../resources/extreme.ts';
import { findMissingShards } from '../../resources/shard.ts';
import { type RetentionKind, retentionKinds } from '../upkeep/retention.ts';
import type { ReportHistory } from '../usage/report-history.ts';
import { EndpointDirectory } from './endpoint-directory.ts';
import { type HistoryPart, RowNumbers } from './history-part.ts';
import { MergedActivity } from './merged-activity.ts';
import { mergeBranches } from './merged-branches.ts';
import { mergeClosings } from './merged-closing.ts';
import { mergeEndpoints } from './merged-endpoints.ts';
import { mergeMeterCoverage } from './merged-meter.ts';
import {
  mergeComparisons,
  mergeCpuSources,
  mergeKeys,
  mergeKeyUses,
  mergeOperations,
} from './merged-record.ts';
import { MergedUsage } from './merged-usage.ts';
import { mergeGaps, mergeHours, mergeRollUps } from './merged-use-detail.ts';
import { ProjectDirectory } from './project-directory.ts';

/**
 * Several histories as one: an account that is split over them is whole, and a project that was moved from one to another
 * is one project.
 */
export function mergeHistories(parts: readonly HistoryPart[], accounts: readonly string[]): ReportHistory {
  const numbers = new RowNumbers(parts);
  const directory = new ProjectDirectory(parts, numbers);
  const usage = new MergedUsage(parts, directory, numbers);
  const endpoints = new EndpointDirectory(directory, numbers);
  const activity = new MergedActivity(directory, endpoints, numbers);
  const rollUps = mergeRollUps(directory, numbers);
  const kept = (kind: RetentionKind) => largest(parts.map(({ history }) => history.keptFromAt[kind]));
  const [samples, hours, days, operations] = retentionKinds.map(kept);
  return {
    accounts,
    usage,
    rollUps,
    hours: mergeHours(directory, usage),
    meter: mergeMeterCoverage(parts, directory, numbers),
    activity,
    gaps: mergeGaps(directory),
    endpoints: mergeEndpoints({ parts, directory, endpoints, numbers, usage, activity, days: rollUps }),
    branches: mergeBranches(parts, directory),
    ledgerComparisons: mergeComparisons(directory),
    operations: mergeOperations(directory),
    keys: mergeKeys(parts.flatMap(({ history }) => history.keys)),
    keyUses: mergeKeyUses(parts),
    settled: {
      until: account => {
        const speaking = directory.speaking(account);
        return smallest(
          (speaking.length > 0 ? speaking : parts).map(part =>
            part.history.settled.until(account, directory.speaksLast(part)),
          ),
        );
      },
    },
    cpuSources: mergeCpuSources(parts),
    closings: mergeClosings(parts, directory),
    keptFromAt: { samples: samples ?? 0, hours: hours ?? 0, days: days ?? 0, operations: operations ?? 0 },
    missingShards: account => {
      const own = parts.filter(({ history }) => history.accounts.includes(account));
      return findMissingShards(own.map(({ history }) => history.shard));
    },
    sources: parts.map(({ file, history: { usage: known } }) => ({
      file,
      knownFrom: account => known.knownFrom(account),
      knownUntil: account => known.knownUntil(account),
      isRead: account => directory.speaking(account).some(part => part.file === file),
    })),
  };
}
