import { isAlias, isMap, isScalar, isSeq, type Node, type YAMLMap } from 'yaml';

/** A part of a nested section as somebody wrote it, with the place where they did. */
export type WrittenNode = NodePlace & WrittenContent;

interface NodePlace {
  /** `dbpm.yaml:7`. */
  readonly where: string;
  /** `pricing.plans[0].currency`; a name that is no plain word is `(unnamed)` in it, as it may be a secret in the wrong place. */
  readonly key: string;
}

type WrittenContent =
  /** A number is as it was written: `0.160`. */
  | { readonly kind: 'value'; readonly text: string; readonly yamlType: 'string' | 'number' | 'boolean' }
  | { readonly kind: 'list'; readonly items: readonly WrittenNode[] }
  | { readonly kind: 'group'; readonly entries: readonly WrittenEntry[] }
  | { readonly kind: 'nothing' }
  | { readonly kind: 'alias' };

export interface WrittenEntry {
  /** Empty for a key that is no text. */
  readonly name: string;
  readonly node: WrittenNode;
}

/** The tree below a node of YAML; `at` is where the key of the node stands, or the node itself in a list. */
export function writeNode(
  node: Node | null,
  { key, at, locate }: { readonly key: string; readonly at: Node; readonly locate: (node: Node) => string },
): WrittenNode {
  const place = { where: locate(at), key };
  if (node === null || (isScalar(node) && node.value === null)) return { ...place, kind: 'nothing' };
  if (isScalar(node)) {
    const type = typeof node.value;
    const yamlType = type === 'number' || type === 'boolean' ? type : 'string';
    return { ...place, kind: 'value', text: textOf(node), yamlType };
  }
  if (isSeq<Node>(node)) {
    const items = node.items.map((item, index) =>
      writeNode(item, { key: `${key}[${index}]`, at: item, locate }),
    );
    return { ...place, kind: 'list', items };
  }
  if (!isMap(node) || isAlias(node)) return { ...place, kind: 'alias' };
  const entries = (node as YAMLMap<Node, Node | null>).items.map(pair => {
    const name = isScalar(pair.key) ? textOf(pair.key) : '';
    return { name, node: writeNode(pair.value, { key: `${key}.${showName(name)}`, at: pair.key, locate }) };
  });
  return { ...place, kind: 'group', entries };
}

function textOf(scalar: { readonly value: unknown; readonly source?: string | undefined }): string {
  return typeof scalar.value === 'string' ? scalar.value : (scalar.source ?? '');
}

function showName(name: string): string {
  return /^[\p{L}\p{N}_-][\p{L}\p{N}_. -]{0,39}$/u.test(name) ? name : '(unnamed)';
}

/** The node below a group under this name. */
export function childOf(node: WrittenNode, name: string): WrittenNode | undefined {
  return node.kind === 'group' ? node.entries.find(entry => entry.name === name)?.node : undefined;
}

/** The items of a list; none of anything else. */
export function itemsOf(node: WrittenNode | undefined): readonly WrittenNode[] {
  return node?.kind === 'list' ? node.items : [];
}
