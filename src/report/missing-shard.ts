import { isSeveral } from '../history/file/history-list.ts';
import type { ReportHistory } from '../history/usage/report-history.ts';
import { nameShards } from '../resources/shard.ts';
import type { ReportRequest } from './request.ts';

/** Sentences on the shards whose projects are in no figure of a report; a shard that reports its own part misses nothing. */
export function describeMissingShards(
  history: Pick<ReportHistory, 'accounts' | 'missingShards'>,
  { kind, config }: Pick<ReportRequest, 'kind' | 'config'>,
): string[] {
  if (config.shard !== undefined && !isSeveral(config.history.file)) return [];
  return history.accounts.flatMap(account => {
    // API keys are those of the whole account, read by the first shard.
    const missing = history.missingShards(account).filter(({ index }) => kind !== 'keys' || index === 0);
    if (missing.length === 0) return [];
    const what =
      kind === 'keys' ? 'its API keys are not as they are now' : 'nothing of its projects is known';
    return [`The history of ${nameShards(missing)} of account ${account} is not there: ${what}.`];
  });
}
