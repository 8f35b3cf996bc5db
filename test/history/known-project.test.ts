import { expect, test } from 'vitest';
import { readKnownProjects } from '../../src/history/fleet/known-project.ts';
import { HistoryFolder } from '../support/history-folder.ts';
import { projectGoneReading, projectsReading, startAt, wireProject } from '../support/reading-builder.ts';

test('every project a history ever saw is known with what a match looks at', () => {
  using folder = new HistoryFolder();
  expect(readKnownProjects(folder.file)).toEqual([]);
  const history = folder.open({ accounts: ['main', 'second'] });
  const shop = wireProject('p-1', { name: 'shop', region_id: 'eu-1', platform_id: 'aws' });
  history.record(projectsReading(startAt, [shop], { account: 'second' }));
  history.record(projectsReading(startAt, [{ id: 'p-2', cpu_used_sec: 0 }]));
  history.record(projectGoneReading(startAt + 1000, 'p-2'));
  const known = [
    { account: 'second', project_id: 'p-1', project_name: 'shop', region_id: 'eu-1', platform_id: 'aws' },
    { account: 'main', project_id: 'p-2' },
  ];
  expect(readKnownProjects(folder.file)).toEqual(known);
  folder.close(history);
  expect(readKnownProjects(folder.file)).toEqual(known);
});
