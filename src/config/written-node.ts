import { isAlias, isMap, isScalar, isSeq, type Node, type YAMLMap } from 'yaml';
import { type Problem, quoteValue } from './problem.ts';

/** A part of the configuration as it was written, with its place. */
export type WrittenNode = NodePlace & WrittenContent;

interface NodePlace {
  /** `dbpm.yaml:7`, `environment`, `flag` or `default`. */
  readonly where: string;
  /** The setting as that place spells it: `pricing.plans[0].currency`, `DBPM_LOG_LEVEL`; empty for a file as a whole. */
  readonly key: string;
  /** Where it begins and ends in its file, in characters; absent outside files. */
  readonly range?: readonly [start: number, end: number];
}

type WrittenContent =
  /** A number is as it was written: `0.160`; outside files all is text, without a type of YAML. */
  | { readonly kind: 'value'; readonly text: string; readonly yamlType?: 'string' | 'number' | 'boolean' }
  | { readonly kind: 'list'; readonly items: readonly WrittenNode[] }
  | { readonly kind: 'group'; readonly entries: readonly WrittenEntry[] }
  | { readonly kind: 'nothing' }
  | { readonly kind: 'alias' };

interface WrittenEntry {
  /** Empty for a key that is no text. */
  readonly name: string;
  readonly node: WrittenNode;
}

/** A text from outside a file. */
export function writeText(text: string, where: string, key: string): WrittenNode {
  return { kind: 'value', text, where, key };
}

/** Where the text that `offset` points into is: `dbpm.yaml:7`. */
type Locate = (offset: number) => string;

/** The tree below a node of YAML; `at` is the key of the node, or the node itself in a list. */
export function writeNode(node: Node | null, key: string, at: Node | null, locate: Locate): WrittenNode {
  const start = at?.range?.[0] ?? 0;
  const place: NodePlace = { where: locate(start), key, range: [start, node?.range?.[1] ?? start] };
  if (node === null || (isScalar(node) && node.value === null)) return { ...place, kind: 'nothing' };
  if (isScalar(node)) {
    const type = typeof node.value;
    const yamlType = type === 'number' || type === 'boolean' ? type : 'string';
    return { ...place, kind: 'value', text: scalarText(node), yamlType };
  }
  if (isSeq<Node>(node)) {
    const items = node.items.map((item, index) => writeNode(item, `${key}[${index}]`, item, locate));
    return { ...place, kind: 'list', items };
  }
  if (!isMap(node) || isAlias(node)) return { ...place, kind: 'alias' };
  const entries = (node as YAMLMap<Node, Node | null>).items.map(({ key: at, value }) => {
    const name = isScalar(at) ? scalarText(at) : '';
    return { name, node: writeNode(value, joinKey(key, name), at, locate) };
  });
  return { ...place, kind: 'group', entries };
}

function scalarText(scalar: { readonly value: unknown; readonly source?: string | undefined }): string {
  return typeof scalar.value === 'string' ? scalar.value : (scalar.source ?? '');
}

/** A name that is no plain word may be a secret in the wrong place; groups have names of the user's own. */
function joinKey(parent: string, name: string): string {
  const plain = /^groups\b/.test(parent) ? /^[\p{L}\p{N}_-][\p{L}\p{N}_. -]{0,39}$/u : /^[\w.-]{1,40}$/;
  const shown = plain.test(name) ? name : '(unnamed)';
  return parent === '' ? shown : `${parent}.${shown}`;
}

/** The node below a group at this path: `idle_refresh`, `projects.include`. */
export function childOf(node: WrittenNode | undefined, path: string): WrittenNode | undefined {
  const find = (parent: WrittenNode | undefined, name: string) =>
    entriesOf(parent).find(entry => entry.name === name)?.node;
  return path.split('.').reduce(find, node);
}

/** The items of a list; none of anything else. */
export function itemsOf(node: WrittenNode | undefined): readonly WrittenNode[] {
  return node?.kind === 'list' ? node.items : [];
}

/** The entries of a group; none of anything else. */
export function entriesOf(node: WrittenNode | undefined): readonly WrittenEntry[] {
  return node?.kind === 'group' ? node.entries : [];
}

/** A value as it is written, and the values of a list with commas between them; empty for anything else. */
export function textOf(node: WrittenNode): string {
  return node.kind === 'value' ? node.text : itemsOf(node).map(textOf).join(', ');
}

/** The problem of a node. */
export function nodeProblem({ where, key }: WrittenNode, found: string, expected: string): Problem {
  return { where, key, found, expected };
}

/** The problem of a group that lacks a key. */
export function missingKey({ where, key }: WrittenNode, name: string, expected: string): Problem {
  return { where, key: `${key}.${name}`, found: 'nothing', expected };
}

/** One problem for each name that is there a second time; `noun` is what they are names of. */
export function findRepeatedNames(names: readonly WrittenNode[], noun: string): Problem[] {
  return names.flatMap((name, index) => {
    const earlier = names.slice(0, index).find(each => textOf(each) === textOf(name));
    if (earlier === undefined || name.kind !== 'value') return [];
    const found = `${quoteValue(name.text)} a second time, after ${earlier.where}`;
    return [nodeProblem(name, found, `write a different name for each ${noun}`)];
  });
}

/** A problem unless exactly one of these is there. */
export function findWrongChoice(node: WrittenNode, names: readonly string[]): Problem[] {
  if (node.kind !== 'group') return [];
  const choice = `one of ${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
  const [first, second] = entriesOf(node).filter(({ name }) => names.includes(name));
  if (first === undefined) return [nodeProblem(node, `none of ${names.join(', ')}`, `write ${choice}`)];
  return second === undefined ? [] : [nodeProblem(second.node, `it beside ${first.name}`, `keep ${choice}`)];
}

/** The names that items of a list have under the key `name`. */
export function namesOf(node: WrittenNode | undefined): readonly WrittenNode[] {
  return itemsOf(node).flatMap(item => childOf(item, 'name') ?? []);
}

const shapes = {
  value: 'a single value',
  list: 'a list',
  group: 'a group of keys',
  alias: 'an alias',
  nothing: 'nothing',
};

/** Names the shape of a node in place of a list or a group of keys; a text there may be anything, and is not shown. */
export function describeShape(node: WrittenNode): string {
  const parts = node.kind === 'value' ? node.text : [...itemsOf(node), ...entriesOf(node)];
  return parts.length === 0 && node.kind !== 'alias' ? 'nothing' : shapes[node.kind];
}

/** Shows a node in place of a single value; `show` quotes a text so that no secret is in it. */
export function showNode(node: WrittenNode, show = quoteValue): string {
  if (node.kind !== 'value') return shapes[node.kind];
  const isText = node.yamlType === undefined || node.yamlType === 'string';
  const shown = isText ? show(node.text) : show(node.text).replaceAll('"', '');
  return node.text === '' ? 'nothing' : shown;
}
