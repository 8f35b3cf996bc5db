import type { Content } from './encoded-answer.ts';
import { PageProblem } from './page-problem.ts';
import { apiRoot } from './route.ts';
import { pages } from './site.ts';

/** Addresses that people guess from a title, and the page that is meant. */
const meant: ReadonlyMap<string, string> = new Map([
  ['/savings', '/findings'],
  ['/reports', '/report/usage'],
]);

/** Leads from a guessed address to its page; undefined where it is none. */
export function leadFrom(path: string): Content | undefined {
  const address = meant.get(path);
  if (address === undefined) return undefined;
  return { status: 308, type: 'text/plain; charset=utf-8', text: address, headers: { Location: address } };
}

/** Whether a program asks rather than a person. */
export function isApiPath(path: string): boolean {
  return /^\/api(?:\/|$)/.test(path);
}

/** The problem with an address that has no page, and the addresses there are. */
export function nothingAt(path: string): PageProblem {
  const shown = path.length > 100 ? `${path.slice(0, 99)}…` : path;
  return new PageProblem(
    404,
    'There is no such page',
    `Nothing is at ${shown}.`,
    isApiPath(path)
      ? [`${apiRoot}/openapi.json`, ...pages.map(({ apiPath }) => apiRoot + apiPath)]
      : pages.filter(({ isListed }) => isListed).map(page => page.path),
  );
}
