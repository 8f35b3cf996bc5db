import type { Content } from './encoded-answer.ts';

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
