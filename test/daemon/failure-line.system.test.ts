import { expect, onTestFinished, test } from 'vitest';
import { eventually, openWatched } from './open-daemon.ts';

test('failures that last are a line when they begin and one when they are over', async () => {
  const { service, daemon } = await openWatched(onTestFinished);
  const list = await service.call<{ projects: object[] }>('GET', '/projects');
  // The list is not asked for again until it was answered: by then all faults are there.
  await service.fault({ match: 'GET /projects', delay_ms: 2000, times: 1 });
  for (const request_id of ['r-0', 'r-1', 'r-2', 'r-3']) {
    const body = JSON.stringify({ request_id, code: '', message: 'not now' });
    await service.fault({ match: 'GET /projects', status: 403, body, times: 1 });
  }
  const body = JSON.stringify({ projects: [...list.projects, null] });
  await service.fault({ match: 'GET /projects', status: 200, body, times: 3 });
  await service.fault({ match: 'GET /projects/*/operations', status: 423, times: 9 });
  const over = [/list is whole again/, /again" account=main collector=operations/];
  const lines = await eventually(async () => {
    for (const line of over) expect(daemon.lines.join('')).toMatch(line);
    return daemon.lines.map(line => line.replace(/^time=\S+ | err\.stack=.*| lasted=\S+|\n/g, ''));
  });
  const told = (words: RegExp) => lines.filter(line => words.test(line));
  expect(told(/reading.*collector=projects/)).toEqual([
    'level=warn msg="a reading failed" account=main collector=projects err.message="403 from GET /projects: the API key may not read this; use a key of an account that may (the service says: not now, request_id r-0)" err.reason=forbidden',
    'level=info msg="readings succeed again" account=main collector=projects reason=forbidden failures=4',
  ]);
  expect(told(/list (may|is)/)).toEqual([
    'level=warn msg="a list may not be whole" account=main collector=projects err.message="the list of projects is not whole: 1 of its projects could not be read; what is missing keeps its last values until collect.drop_after, and what is new may not be seen"',
    'level=info msg="the list is whole again" account=main collector=projects failures=3',
  ]);
  const ofProjects = told(/reading.*collector=operations/);
  expect(ofProjects.map(line => line.replace(/ (project_id|failures)=\S+| err\.message=".*"/g, ''))).toEqual([
    'level=warn msg="a reading failed" account=main collector=operations err.reason=locked',
    'level=info msg="readings succeed again" account=main collector=operations reason=locked',
  ]);
});

test('items that are left out are a line when they begin and one when there are none any more', async () => {
  const { service, daemon } = await openWatched(onTestFinished);
  const path = '/api_keys';
  const keys = await service.call<object[]>('GET', path);
  const body = JSON.stringify([...keys, { name: 'no id' }]);
  await service.fault({ match: `GET ${path}`, status: 200, body, times: 2 });
  await eventually(async () => expect(daemon.lines.join('')).toMatch(/no items are left out any more/));
  const told = daemon.lines.filter(line => line.includes('left out'));
  expect(told.map(line => line.replace(/^time=\S+ | err\.stack=.*| lasted=\S+|\n/g, ''))).toEqual([
    'level=warn msg="items are left out" account=main collector=api_keys err.message="1 cannot be used: what each must have is missing or something else, such as its id"',
    'level=info msg="no items are left out any more" account=main collector=api_keys failures=2',
  ]);
});
