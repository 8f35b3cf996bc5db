import type { Link } from '../thread/link.ts';
import type { HistoryApi, HistoryOwner, HistoryWorkerOptions } from './history-api.ts';
import { HistoryService } from './history-service.ts';
import { StandbyService } from './standby-service.ts';

/**
 * The history and the page over it. Without a thread of their own, scrapes and requests to the service would wait for a disk that
 * is slow to commit, and for rendering and compression.
 *
 * @throws HistoryError when the history cannot be used.
 */
export function serve(options: HistoryWorkerOptions, { tell }: Link<HistoryOwner>): HistoryApi {
  return options.isStandby ? new StandbyService(options, tell) : new HistoryService(options, tell);
}
