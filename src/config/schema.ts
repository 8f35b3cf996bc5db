import * as v from 'valibot';
import type { Problem } from './problem.ts';
import { entriesOf, itemsOf, showNode, type WrittenNode } from './written-node.ts';

/**
 * How something written becomes a value. What goes into each schema, and so into each issue, is the node as it was
 * written: an issue then knows its place.
 */
export type Schema<Value> = v.GenericSchema<WrittenNode, Value>;

/** A node of a shape; `expected` says what to write, as an order. */
function shape(expected: string, fits: (node: WrittenNode) => boolean) {
  return v.custom<WrittenNode>(node => fits(node as WrittenNode), expected);
}

/** The order that says how a value of this schema is written. */
export function adviceOf(schema: GroupFields[string]): string {
  return v.getDescription(schema) ?? '';
}

/** Any node, to be checked elsewhere. */
export const anything = shape('', () => true);

interface SingleOptions {
  /** The types of YAML it may have; outside files all is text. */
  readonly accepts?: readonly ('string' | 'number' | 'boolean')[];
  /** The text as a problem may show it. */
  readonly show?: (text: string) => string;
  /** In place of what is found, for what is not shown. */
  readonly found?: string;
}

/** A single value, whose text `schema` reads; its own messages take the place of `expected`. */
export function single<Value>(
  expected: string,
  schema: v.GenericSchema<string, Value>,
  { accepts = ['string'], show, found }: SingleOptions = {},
): Schema<Value> {
  const read = v.rawTransform<WrittenNode, Value>(({ dataset: { value: node }, addIssue, NEVER }) => {
    const { text, yamlType } = node.kind === 'value' ? node : { text: undefined, yamlType: undefined };
    const fits = text !== undefined && (yamlType === undefined || accepts.includes(yamlType));
    const parsed = fits ? v.safeParse(schema, text, { message: expected, abortEarly: true }) : undefined;
    if (parsed?.success) return parsed.output;
    const advice = !fits && yamlType === 'string' ? `${expected}, without quotes` : expected;
    addIssue({ received: found ?? showNode(node, show), message: parsed?.issues[0].message ?? advice });
    return NEVER;
  });
  return v.pipe(anything, read, v.description(expected));
}

const isGroup = (node: WrittenNode): boolean => node.kind === 'group';
export const isGroupOrNothing = (node: WrittenNode): boolean => isGroup(node) || node.kind === 'nothing';
export const hasEntries = (node: WrittenNode): boolean => entriesOf(node).length > 0;
const hasItems = (node: WrittenNode): boolean => itemsOf(node).length > 0;
export const isListOrNothing = (node: WrittenNode): boolean =>
  node.kind === 'list' || node.kind === 'nothing';

/** The mark of an issue about a key that means nothing; its message has the names of the keys that do. */
export const strange = 'no such key';

/** The keys of a group; one that may be left out is `exactOptional`. */
export type GroupFields = Readonly<
  Record<string, Schema<unknown> | v.ExactOptionalSchema<Schema<unknown>, undefined>>
>;

/** A group of keys that are each known. */
export function group<const Entries extends GroupFields>(
  expected: string,
  entries: Entries,
  fits = isGroup,
): Schema<v.InferOutput<v.ObjectSchema<Entries, undefined>>> {
  // Names of the language's own, such as `__proto__`, would be passed over if they were not marked.
  const mark = (name: string) => (Object.hasOwn(entries, name) ? name : `?${name}`);
  const separate = v.transform((node: WrittenNode): Record<string, WrittenNode> => {
    const found = entriesOf(node).map(entry => [mark(entry.name), entry.node]);
    return Object.fromEntries(found.toReversed());
  });
  const unknown = v.rawCheck<WrittenNode>(({ addIssue }) => {
    addIssue({ expected: strange, message: Object.keys(entries).join(' ') });
  });
  const describeMissing = ({ path }: { readonly path?: readonly v.IssuePathItem[] | undefined }) => {
    const entry = entries[String(path?.at(-1)?.key)];
    return entry === undefined ? expected : adviceOf(entry);
  };
  const fields: v.GenericSchema<Record<string, WrittenNode>, unknown> = v.objectWithRest(
    entries as GroupFields,
    v.pipe(anything, unknown),
    describeMissing,
  );
  // Without a problem there is nothing but the entries.
  const output = v.transform(values => values as v.InferOutput<v.ObjectSchema<Entries, undefined>>);
  return v.pipe(shape(expected, fits), separate, fields, output, v.description(expected));
}

/** How many there must be of something. */
type Least = 'some' | 'any number';

/** A list. */
export function list<Value>(expected: string, item: Schema<Value>, least: Least = 'some'): Schema<Value[]> {
  const fits = least === 'some' ? hasItems : isListOrNothing;
  const separate = v.transform((node: WrittenNode) => [...itemsOf(node)]);
  return v.pipe(shape(expected, fits), separate, v.array(item), v.description(expected));
}

/** Items as a list, or as one text with commas between them. */
export function items<Value>(
  expected: string,
  item: v.GenericSchema<string, Value>,
  least: Least = 'some',
): Schema<Value[]> {
  const separate = (node: WrittenNode): WrittenNode[] => {
    if (node.kind !== 'value') return [...itemsOf(node)];
    return node.text.trim() === '' ? [] : node.text.split(',').map(text => ({ ...node, text: text.trim() }));
  };
  const fits = (node: WrittenNode) =>
    (node.kind === 'value' || node.kind === 'list') && (least === 'any number' || separate(node).length > 0);
  const each = single(expected, item, { accepts: ['string', 'number'] });
  return v.pipe(shape(expected, fits), v.transform(separate), v.array(each), v.description(expected));
}

/** A group of keys under names of the user's own, in the order they are written. */
export function named<Value>(
  expected: string,
  name: v.GenericSchema<string, string>,
  below: Schema<Value>,
  fits = hasEntries,
): Schema<{ readonly name: string; readonly value: Value }[]> {
  const nameSchema = single('', name, { found: 'a name it cannot have' });
  const separate = (node: WrittenNode) =>
    entriesOf(node).map(({ name: text, node: child }): [WrittenNode, WrittenNode] => {
      const { where, key, range } = child;
      return [{ kind: 'value', text, where, key, ...(range && { range }) }, child];
    });
  return v.pipe(
    shape(expected, fits),
    v.transform(separate),
    v.array(v.tuple([nameSchema, below])),
    v.transform(pairs => pairs.map(([text, value]) => ({ name: text, value }))),
  );
}

/** A value with the place it was read from, for what can only be judged beside others. */
export interface Placed<Value> {
  readonly value: Value;
  readonly node: WrittenNode;
}

export function placed<Value>(schema: Schema<Value>): Schema<Placed<Value>> {
  return v.pipe(
    anything,
    v.transform((node): [WrittenNode, WrittenNode] => [node, node]),
    v.tuple([anything, schema]),
    v.transform(([node, value]) => ({ node, value })),
  );
}

/** The values of a list alone. */
export function unplaced<Value>(entries: Schema<Placed<Value>[]>): Schema<Value[]> {
  return v.pipe(
    entries,
    v.transform(read => read.map(({ value }) => value)),
  );
}

/** One, or a list of some. */
export function oneOrList<Value>(one: Schema<Value>, some: Schema<Value>): Schema<Value> {
  return v.lazy(node => ((node as WrittenNode).kind === 'list' ? some : one));
}

/** Adds problems that a value has although each of its parts is right. */
export function problemCheck<Value>(find: (value: Value) => readonly Problem[]) {
  return v.rawCheck<Value>(({ dataset, addIssue }) => {
    if (!dataset.typed) return;
    for (const problem of find(dataset.value)) {
      addIssue({ input: problem, received: problem.found, message: problem.expected });
    }
  });
}
