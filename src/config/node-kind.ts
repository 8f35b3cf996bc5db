import { describeUnknownKey, isSecretName } from './known-key.ts';
import { findNearestWord } from './nearest-word.ts';
import { type Problem, quoteValue } from './problem.ts';
import type { Parsed } from './value-kind.ts';
import { itemsOf, type WrittenEntry, type WrittenNode } from './written-node.ts';

/** How a part of a nested section becomes a value. */
export interface NodeKind<Value> {
  /** What to write, as an order. */
  readonly expected: string;
  /** The value, or undefined after adding to `problems` what is wrong with it. */
  readonly read: (node: WrittenNode, problems: Problem[]) => Value | undefined;
}

/** A value with the place it was read from, for what can only be judged beside others. */
export interface Placed<Value> {
  readonly value: Value;
  readonly node: WrittenNode;
}

/** The problem of a node. */
export function nodeProblem({ where, key }: WrittenNode, found: string, expected: string): Problem {
  return { where, key, found, expected };
}

const shapes = {
  value: 'a single value',
  list: 'a list',
  group: 'a group of keys',
  alias: 'an alias',
  nothing: 'nothing',
};

/** What stands where a list or a group of keys should; a text there may be anything, and is not shown. */
function describeShape(node: WrittenNode): string {
  const parts = node.kind === 'group' ? node.entries : itemsOf(node);
  const isEmpty = (node.kind === 'list' || node.kind === 'group') && parts.length === 0;
  return isEmpty ? 'nothing' : shapes[node.kind];
}

/** What stands where a single value should, as a problem may show it. */
export function showNode(node: WrittenNode): string {
  if (node.kind !== 'value') return shapes[node.kind];
  if (node.text === '') return 'nothing';
  return node.yamlType === 'string' ? quoteValue(node.text) : quoteValue(node.text).replaceAll('"', '');
}

/** Advice to write one of some words, of which only the first are named. */
export function adviseOn(words: readonly string[], otherwise: string): string {
  const [first, ...others] = words.slice(0, 10);
  if (first === undefined) return otherwise;
  return others.length === 0 ? `write ${first}` : `write one of ${[first, ...others].join(', ')}`;
}

/** A single value: text, or also an unquoted number where that is as good. */
export function single<Value>(
  expected: string,
  parse: (text: string) => Parsed<Value>,
  accepts: 'text' | 'text or number' = 'text',
): NodeKind<Value> {
  return {
    expected,
    read: (node, problems) => {
      const fits =
        node.kind === 'value' &&
        (node.yamlType === 'string' || (node.yamlType === 'number' && accepts === 'text or number'));
      const parsed = fits ? parse(node.text) : { expected };
      if ('value' in parsed) return parsed.value;
      problems.push(nodeProblem(node, showNode(node), parsed.expected));
      return undefined;
    },
  };
}

/** A list, of which those items remain that are right; an empty one is refused if there must be `some`. */
export function list<Value>(
  expected: string,
  item: NodeKind<Value>,
  some: 'some' | 'any number' = 'some',
): NodeKind<readonly Value[]> {
  return {
    expected,
    read: (node, problems) => {
      const items = itemsOf(node);
      const mayBeEmpty = some === 'any number' && (node.kind === 'list' || node.kind === 'nothing');
      if (items.length === 0 && !mayBeEmpty) {
        problems.push(nodeProblem(node, describeShape(node), expected));
        return undefined;
      }
      return items.flatMap(each => item.read(each, problems) ?? []);
    },
  };
}

type Fields = Readonly<Record<string, NodeKind<unknown>>>;
type ValueOf<Kind> = Kind extends NodeKind<infer Value> ? Value : never;
type FieldValues<Needed extends Fields, Optional extends Fields> = {
  readonly [Name in keyof Needed]: ValueOf<Needed[Name]>;
} & { readonly [Name in keyof Optional]?: ValueOf<Optional[Name]> };

/** A group of keys of which each means something. */
export function group<Needed extends Fields, Optional extends Fields>(
  expected: string,
  needed: Needed,
  optional: Optional,
): NodeKind<FieldValues<Needed, Optional>> {
  const fields: Fields = { ...needed, ...optional };
  return {
    expected,
    read: (node, problems) => {
      const before = problems.length;
      if (node.kind !== 'group') {
        problems.push(nodeProblem(node, describeShape(node), expected));
        return undefined;
      }
      const values = node.entries.map(({ name, node: child }) => {
        const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
        if (field !== undefined) return [name, field.read(child, problems)];
        problems.push(describeStranger({ name, node: child }, node.key, Object.keys(fields)));
        return [];
      });
      for (const [name, field] of Object.entries(needed)) {
        if (node.entries.some(entry => entry.name === name)) continue;
        const place = { where: node.where, key: `${node.key}.${name}` };
        problems.push({ ...place, found: 'nothing', expected: field.expected });
      }
      // Without a problem every field has the value of its kind.
      if (problems.length > before) return undefined;
      return Object.fromEntries(values) as FieldValues<Needed, Optional>;
    },
  };
}

function describeStranger({ name, node }: WrittenEntry, parent: string, fields: readonly string[]): Problem {
  if (isSecretName(name)) return { ...placeOf(node), ...describeUnknownKey(name, []) };
  const nearest = findNearestWord(name.slice(0, 40), fields);
  const advice = nearest === undefined ? `one of ${fields.join(', ')}` : `${parent}.${nearest}`;
  return nodeProblem(node, 'an unknown setting', `write ${advice}`);
}

function placeOf({ where, key }: WrittenNode): Pick<Problem, 'where' | 'key'> {
  return { where, key };
}

/** A group of keys under names of the user's own, of which those remain that are right. */
export function named<Value>(
  expected: string,
  checkName: (name: string) => string | undefined,
  below: NodeKind<Value>,
): NodeKind<readonly { readonly name: string; readonly value: Value }[]> {
  return {
    expected,
    read: (node, problems) => {
      if (node.kind !== 'group' || node.entries.length === 0) {
        problems.push(nodeProblem(node, describeShape(node), expected));
        return undefined;
      }
      return node.entries.flatMap(({ name, node: child }) => {
        if (isSecretName(name) && child.kind === 'value') {
          problems.push({ ...placeOf(child), ...describeUnknownKey(name, []) });
          return [];
        }
        const wrongName = checkName(name);
        if (wrongName !== undefined) problems.push(nodeProblem(child, 'a name it cannot have', wrongName));
        const value = below.read(child, problems);
        return value === undefined ? [] : [{ name, value }];
      });
    },
  };
}

/** The same, with its place. */
export function placed<Value>({ expected, read }: NodeKind<Value>): NodeKind<Placed<Value>> {
  return {
    expected,
    read: (node, problems) => {
      const value = read(node, problems);
      return value === undefined ? undefined : { value, node };
    },
  };
}
