import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { readSourceFile } from './source-file.ts';
import { childOf, entriesOf, textOf, type WrittenNode } from './written-node.ts';
import { readYamlFile } from './yaml-file.ts';

const folder = fileURLToPath(new URL('./book/', import.meta.url));
const extension = '.yaml';

/** The price books that come with the program, such as `launch-2026-07`: each has the date of the prices in it. */
export const shippedBooks: readonly string[] = readdirSync(folder)
  .filter(name => name.endsWith(extension))
  .map(name => name.slice(0, -extension.length))
  .toSorted();

/**
 * The file with the section `pricing` as if the shipped price book that it names were written there; what is written beside
 * the name takes the place of the same key of the book.
 */
export function withShippedBook(root: WrittenNode): WrittenNode {
  const pricing = childOf(root, 'pricing');
  const name = childOf(pricing, 'book');
  if (root.kind !== 'group' || pricing?.kind !== 'group' || name === undefined) return root;
  const entries = new Map(
    [...entriesOf(readBook(textOf(name))), ...pricing.entries].map(each => [each.name, each]),
  );
  const joined: WrittenNode = { ...pricing, entries: [...entries.values()] };
  return {
    ...root,
    entries: root.entries.map(each => (each.node === pricing ? { ...each, node: joined } : each)),
  };
}

/** The section of a shipped price book; undefined where none has this name. */
function readBook(name: string): WrittenNode | undefined {
  if (!shippedBooks.includes(name)) return undefined;
  const { text } = readSourceFile(`${folder}${name}${extension}`);
  return childOf(readYamlFile(text, `${name}${extension}`).root, 'pricing');
}
