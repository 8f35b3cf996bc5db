import type { History } from '../../src/history/history.ts';
import type { Reading } from '../../src/resources/reading.ts';
import { liveProjects, type SimulatedAccount } from '../../src/simulator/model/account.ts';
import { liveEndpoints, type SimulatedProject } from '../../src/simulator/model/project.ts';
import { showApiKey, showEndpoint, showOperation, showProject } from '../../src/simulator/model/wire-form.ts';
import { checkpointOf } from './history-folder.ts';
import { apiKeysReading, projectReading, projectsReading } from './reading-builder.ts';

/** Operations on a page of the newest ones. */
const pageLength = 100;

/** Reads an account once as a daemon does after its start: lists, then each project from where its history stands. */
export function readAsDaemon(history: History, account: SimulatedAccount): void {
  const at = account.timeline.now * 1000;
  record(history, [
    projectsReading(at, liveProjects(account).map(showProject)),
    apiKeysReading(at, account.keys.list().map(showApiKey)),
  ]);
  const fields = { pendingState: 'during transitions', lastActive: true } as const;
  record(
    history,
    liveProjects(account).map(project => {
      const { known } = checkpointOf(history, project.id);
      const newest = project.operations.toReversed();
      const shown = known.headAt === undefined ? newest : newest.slice(0, pageLength);
      const open = newest.slice(shown.length).filter(each => known.openIds.includes(idOf(project, each)));
      const operations = [...shown, ...open].map(operation => showOperation(project, operation));
      const endpoints = liveEndpoints(project).map(endpoint => showEndpoint(endpoint, fields));
      return projectReading(at, project.id, { endpoints, operations }, { progress: { headAt: at } });
    }),
  );
}

function idOf(project: SimulatedProject, operation: SimulatedProject['operations'][number]): string {
  return String(showOperation(project, operation).id);
}

function record(history: History, readings: readonly Reading[]): void {
  for (const recorded of history.commit(readings)) if ('error' in recorded) throw recorded.error;
}
