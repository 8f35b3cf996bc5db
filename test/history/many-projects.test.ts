import { expect, test } from 'vitest';
import type { History } from '../../src/history/history.ts';
import { HistoryFolder } from '../support/history-folder.ts';
import {
  projectGoneReading,
  projectReading,
  projectsReading,
  startAt,
  wireEndpoint,
  wireOperation,
  wireProject,
} from '../support/reading-builder.ts';

const accounts = ['main', 'second'];

function viewAll(history: History) {
  history.showAgain();
  return history.changes(startAt + 5000).map(({ account, projects }) => ({
    ...{ account: account.account, imports: account.importsLeft, gone: account.lastProjectGoneAt },
    projects: [...projects].filter(([, view]) => view !== undefined),
  }));
}

test('a thousand projects of two accounts are shown by a restart as they were before it', () => {
  using folder = new HistoryFolder();
  const history = folder.open({ accounts });
  // Their rows lie between each other, and those of some that are gone.
  const ids = Array.from({ length: 1300 }, (_, index) => `p-${index}`);
  for (let from = 0; from < ids.length; from += 100) {
    const items = ids.slice(from, from + 100).map(id => wireProject(id, { name: `shop ${id}` }));
    const account = (from / 100) % 3 === 0 ? 'second' : 'main';
    history.record(projectsReading(startAt, items, { account, complete: false }));
  }
  const polled = [...history.knownProjects('main')].map(({ project }) => project.project_id);
  history.recordAll(
    polled
      .filter((_, index) => index % 9 === 0)
      .map((id, index) =>
        projectReading(startAt + 1000, id, {
          endpoints: [wireEndpoint(`ep-${id}`), wireEndpoint(`ro-${id}`)],
          operations: [
            wireOperation(`op-${id}`, { endpoint_id: `ep-${id}` }),
            wireOperation(`open-${id}`, {
              status: index % 2 === 0 ? 'running' : 'failed',
              failures_count: 2,
            }),
          ],
        }),
      ),
  );
  history.recordAll(polled.slice(490, 520).map(id => projectGoneReading(startAt + 2000, id)));
  const before = viewAll(history);
  expect(before.map(({ projects }) => projects.length)).toEqual([770, 500]);
  folder.close(history);
  expect(viewAll(folder.open({ accounts }))).toEqual(before);
});
