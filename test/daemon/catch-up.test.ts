import { describe, expect, test } from 'vitest';
import { CatchUp } from '../../src/daemon/catch-up.ts';
import { collectors } from '../../src/resources/collector.ts';
import { HistoryFolder } from '../support/history-folder.ts';
import {
  apiKeysReading,
  minute,
  projectReading,
  projectsReading,
  startAt,
  wireProject,
} from '../support/reading-builder.ts';

const copiedAt = startAt + 10 * minute;
const now = copiedAt + minute;
const both = [wireProject('p', { cpu_used_sec: 70 }), wireProject('q', { cpu_used_sec: 5 })];

/** A history that was read wholly, and is opened again as a copy. */
function openCopy(folder: HistoryFolder) {
  const history = folder.openListed(both);
  for (const project_id of ['p', 'q'])
    history.commitOne(projectReading(startAt, project_id, { endpoints: [], operations: [] }));
  history.commitOne(apiKeysReading(startAt, []));
  return { history: folder.reopen(history), catchUp: new CatchUp(copiedAt, ['main'], collectors) };
}

type Copy = ReturnType<typeof openCopy>;

/** The projects that are shown, and the counters of the account. */
function shownOf({ history, catchUp }: Copy, at = now) {
  const [main] = catchUp.filter(history.snapshot(at), at);
  const shown = [...(main?.projects ?? [])].flatMap(([id, view]) => (view === undefined ? [] : [id]));
  return { shown, account: main?.isHidden !== true, isOver: catchUp.isOver };
}

describe('of a copy of a history', () => {
  test('nothing is shown that was not read again', () => {
    using folder = new HistoryFolder();
    expect(shownOf(openCopy(folder))).toEqual({ shown: [], account: false, isOver: false });
  });

  test('each project is shown once it was read, and the account once all of it was', () => {
    using folder = new HistoryFolder();
    const copy = openCopy(folder);
    shownOf(copy);
    const { history } = copy;
    history.commitOne(projectsReading(now, both));
    history.commitOne(apiKeysReading(now, []));
    history.commitOne(projectReading(now, 'p', { endpoints: [], operations: [] }));
    expect(shownOf(copy)).toEqual({ shown: ['p'], account: false, isOver: false });
    history.commitOne(projectReading(now, 'q', { endpoints: [], operations: [] }));
    expect(shownOf(copy)).toEqual({ shown: ['q'], account: true, isOver: true });
  });

  test('a project that is gone by now is not waited for', () => {
    using folder = new HistoryFolder();
    const copy = openCopy(folder);
    shownOf(copy);
    copy.history.commitOne(projectsReading(now, [wireProject('p', { cpu_used_sec: 70 })]));
    copy.history.commitOne(apiKeysReading(now, []));
    copy.history.commitOne(projectReading(now, 'p', { endpoints: [], operations: [] }));
    expect(shownOf(copy)).toMatchObject({ shown: ['p'], isOver: true });
  });

  test('what could not be read for two hours is shown as the copy has it', () => {
    using folder = new HistoryFolder();
    const copy = openCopy(folder);
    expect(shownOf(copy, copiedAt + 120 * minute)).toEqual({
      shown: ['p', 'q'],
      account: true,
      isOver: true,
    });
  });
});
