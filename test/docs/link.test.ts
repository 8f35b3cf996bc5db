import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { anchorsOf, documents, existsInRepository, records } from './document.ts';

const pages = [...documents, ...records];

const links = pages
  .flatMap(({ path, prose }) =>
    Array.from(prose.matchAll(/\]\(([^)\s]+)\)/g), ([, link = '']) => ({ path, link })),
  )
  .filter(({ link }) => !/^https?:/.test(link));

test('every link leads to a file that is there, and to a heading that it has', () => {
  const broken = links.filter(({ path, link }) => {
    const [file = '', anchor] = link.split('#');
    const target = file === '' ? path : join(dirname(path), file);
    if (!existsInRepository(target)) return true;
    if (anchor === undefined) return false;
    const page = pages.find(each => each.path === target);
    return page === undefined || !anchorsOf(page).includes(anchor);
  });
  expect(links.length).toBeGreaterThan(60);
  expect(broken).toEqual([]);
});

test('every page of docs is reached from the README, and those of deploy from the page on operations', () => {
  const lost = documents.filter(({ path }) => {
    const start = path.startsWith('deploy/') ? 'docs/operations.md' : 'README.md';
    return path !== 'README.md' && !linked(start).includes(path);
  });
  expect(lost.map(({ path }) => path)).toEqual([]);
});

/** Paths below the root that a page links to. */
function linked(from: string): readonly string[] {
  return links.filter(({ path }) => path === from).map(({ link }) => join(dirname(from), link));
}

test('every path of the repository that is named is there', () => {
  const named = documents.flatMap(({ path, text }) =>
    Array.from(
      text.matchAll(/(?<![\w./-])(?:src|test|docs|dashboards|deploy|bin)\/[\w./-]*\w/g),
      ([file]) => ({ path, file }),
    ),
  );
  // A key is the user's own; the link of a page beside it is a relative one.
  const own = ['deploy/compose/dbpm.key'];
  const missing = named.filter(({ file }) => !own.includes(file) && !existsInRepository(file));
  expect(named.length).toBeGreaterThan(20);
  expect(missing).toEqual([]);
});

test('the README can be read in one go', () => {
  const readme = documents.find(({ path }) => path === 'README.md');
  expect(readme?.text.split('\n').length).toBeLessThanOrEqual(150);
});
