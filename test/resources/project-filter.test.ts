import { expect, test } from 'vitest';
import { createProjectFilter, type ProjectGlobs } from '../../src/resources/project-filter.ts';

const projects = [
  { project_id: '1', project_name: 'shop-eu' },
  { project_id: '2', project_name: 'shop-test' },
  { project_id: '3', project_name: 'blog' },
  { project_id: '4' },
];
const kept = (globs: ProjectGlobs) =>
  projects.filter(createProjectFilter(globs)).map(({ project_id }) => project_id);

test.each([
  [['*'], [], ['1', '2', '3', '4']],
  [['shop-*'], [], ['1', '2']],
  [['shop-*', '4'], [], ['1', '2', '4']],
  [['*'], ['*-test'], ['1', '3', '4']],
  [['*'], ['3', 'shop-*'], ['4']],
  [['shop-*'], ['*-test'], ['1']],
  [['Shop-*'], [], []],
  [['shop-*'], ['*'], []],
])('including %j and excluding %j keeps %j', (include, exclude, ids) => {
  expect(kept({ include, exclude })).toEqual(ids);
});
