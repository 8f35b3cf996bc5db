import { isAlias, isMap, isScalar, isSeq, LineCounter, type Node, parseDocument, type YAMLMap } from 'yaml';
import { alertsKey } from './alert-setting.ts';
import {
  describeUnknownKey,
  isKnownKey,
  isSecretName,
  labelsKey,
  listKeys,
  type NestedSection,
  nestedSections,
  sectionNames,
} from './known-key.ts';
import { type Problem, renderProblem } from './problem.ts';
import { type WrittenNode, writeNode } from './written-node.ts';
import type { WrittenValue } from './written-value.ts';
import { describeYamlFailure } from './yaml-failure.ts';

/** One entry of `accounts` as written: its values by field (`base_url`). */
export interface WrittenAccount {
  readonly where: string;
  readonly key: string;
  readonly values: ReadonlyMap<string, WrittenValue>;
  /** Fields that were refused where they stand: that they have no value is then no second problem. */
  readonly refused: ReadonlySet<string>;
}

/** What a configuration file says; it can hold problems and still say something. */
export interface YamlFile {
  /** By key: `collect.idle_refresh`. */
  readonly values: ReadonlyMap<string, WrittenValue>;
  readonly accounts: readonly WrittenAccount[];
  readonly nested: ReadonlyMap<NestedSection, WrittenNode>;
  readonly problems: readonly Problem[];
  /** False if an account may be there that could not be read, so that having none says nothing. */
  readonly accountsUnderstood: boolean;
}

/** Reads the text of a configuration file; `file` is how problems name it, `alertKeys` what alerts have. Never throws. */
export function readYamlFile(text: string, file: string, alertKeys: readonly string[]): YamlFile {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const lastLine = lines.linePos(text.trimEnd().length).line;
  const where = (offset: number): string =>
    `${file}:${Math.max(1, Math.min(lines.linePos(offset).line, lastLine))}`;
  const failures = [...document.errors, ...document.warnings];
  const walk = new YamlWalk(node => where(node.range?.[0] ?? 0), alertKeys);
  const isYaml = failures.every(failure => failure.code === 'DUPLICATE_KEY');
  if (isYaml) walk.readRoot(document.contents);
  const described = failures.map(failure => describeYamlFailure(failure, text, where(failure.pos[0])));
  // The parser stumbles over one mistake several times.
  const problems = new Map(described.map(problem => [renderProblem(problem), problem])).values();
  return {
    values: walk.values,
    accounts: walk.accounts,
    nested: walk.nested,
    problems: [...problems, ...walk.problems],
    accountsUnderstood: isYaml && walk.accountsUnderstood,
  };
}

/** A key as a problem may name it: what is no plain word may be a secret in the wrong place. */
function showKey(node: unknown): string {
  return isScalar(node) && /^[\w.-]{1,40}$/.test(String(node.value)) ? String(node.value) : '(unnamed)';
}

function describeNode(node: Node | null): string {
  if (isAlias(node)) return 'an alias';
  if (isSeq(node)) return 'a list';
  if (isMap(node)) return 'a group of keys';
  return 'a single value';
}

function isEmpty(node: Node | null): boolean {
  return node === null || (isScalar(node) && node.value === null);
}

/** One pass over the tree of a file, sorting what it finds into values, accounts and problems. */
class YamlWalk {
  readonly values = new Map<string, WrittenValue>();
  readonly accounts: WrittenAccount[] = [];
  readonly nested = new Map<NestedSection, WrittenNode>();
  readonly problems: Problem[] = [];
  accountsUnderstood = true;
  readonly #locate: (node: Node) => string;
  readonly #alertKeys: readonly string[];

  constructor(locate: (node: Node) => string, alertKeys: readonly string[]) {
    this.#locate = locate;
    this.#alertKeys = alertKeys;
  }

  readRoot(root: Node | null): void {
    const expected = 'write settings such as "accounts:", "collect:" or "history:"';
    const isMapping = this.#readMap(root, 'the file', expected, (name, node, at) => {
      const nested = nestedSections.find(section => section === name);
      if (name === 'accounts') this.#readAccounts(node);
      else if (nested) this.nested.set(nested, writeNode(node, { key: name, at, locate: this.#locate }));
      else if (sectionNames.has(name)) this.#readSection(name, node);
      else this.#refuse(at, name, describeUnknownKey(name, this.#alertKeys));
    });
    if (!isMapping) this.accountsUnderstood = false;
  }

  #readSection(section: string, node: Node | null): void {
    this.#readMap(node, section, `write its settings below "${section}:", indented`, (name, value, at) => {
      const key = `${section}.${name}`;
      if (key === labelsKey) this.#readSection(key, value);
      else if (key === alertsKey) this.#readAlerts(value);
      else this.#readSetting(key, value, at);
    });
  }

  #readAlerts(node: Node | null): void {
    const expected = 'write names of alerts, each with its settings below it';
    this.#readMap(node, alertsKey, expected, (alert, settings, at) => {
      const key = `${alertsKey}.${alert}`;
      if (this.#alertKeys.some(each => each.startsWith(`${key}.`))) this.#readSection(key, settings);
      else this.#refuse(at, key, describeUnknownKey(key, this.#alertKeys));
    });
  }

  #readSetting(key: string, node: Node | null, at: Node): void {
    const written = this.#readLeaf(key, key, node, at);
    if (written !== undefined) this.values.set(key, written);
  }

  #readAccounts(node: Node | null): void {
    if (node === null || isEmpty(node)) return;
    if (isSeq<Node>(node)) {
      for (const [index, item] of node.items.entries()) this.#readAccount(`accounts[${index}]`, item);
    } else {
      const expected = 'write a list, each account after a "- "';
      this.#refuse(node, 'accounts', { found: describeNode(node), expected });
      this.accountsUnderstood = false;
    }
  }

  #readAccount(key: string, node: Node): void {
    const values = new Map<string, WrittenValue>();
    const refused = new Set<string>();
    const expected = 'write name, base_url and api_key_file or api_key_env';
    const read = (name: string, value: Node | null, at: Node) => {
      const written = this.#readLeaf(`accounts[].${name}`, `${key}.${name}`, value, at);
      if (written !== undefined) values.set(name, written);
      else refused.add(isSecretName(name) ? 'api_key' : name);
    };
    const isMapping = this.#readMap(node, key, expected, (name, value, at) => {
      if (name !== 'projects') return read(name, value, at);
      const choose = 'write include and exclude below it, each with a list';
      this.#readMap(value, `${key}.projects`, choose, (part, list, place) =>
        read(`projects.${part}`, list, place),
      );
    });
    if (isMapping) this.accounts.push({ where: this.#locate(node), key, values, refused });
    else this.accountsUnderstood = false;
  }

  /** Reads each pair of a mapping; false after refusing a node that is none. An empty one is a mapping of nothing. */
  #readMap(
    node: Node | null,
    key: string,
    expected: string,
    read: (name: string, value: Node | null, at: Node) => void,
  ): boolean {
    if (node === null || isEmpty(node)) return true;
    if (!isMap(node)) {
      this.#refuse(node, key, { found: describeNode(node), expected });
      return false;
    }
    for (const { key: at, value } of (node as YAMLMap<Node, Node | null>).items) read(showKey(at), value, at);
    return true;
  }

  /** The value of a setting; undefined after refusing a key no setting has, or a list or group in its place. */
  #readLeaf(schemaKey: string, key: string, node: Node | null, at: Node): WrittenValue | undefined {
    if (!isKnownKey(schemaKey, this.#alertKeys)) {
      this.#refuse(at, key, describeUnknownKey(schemaKey, this.#alertKeys));
      return undefined;
    }
    const isList = listKeys.has(schemaKey);
    if (isList && isSeq<Node>(node)) return this.#readList(key, node.items, at);
    if (node !== null && !isScalar(node)) {
      const expected = isList ? 'write a list of texts' : 'write a single value';
      this.#refuse(node, key, { found: describeNode(node), expected });
      return undefined;
    }
    const value = node?.value ?? null;
    const type = value === null ? 'nothing' : typeof value;
    const yamlType = type === 'number' || type === 'boolean' || type === 'nothing' ? type : 'string';
    const text = yamlType === 'string' ? String(value) : (node?.source ?? '');
    return { text, yamlType, where: this.#locate(at), key };
  }

  #readList(key: string, nodes: readonly Node[], at: Node): WrittenValue | undefined {
    const items: string[] = [];
    for (const node of nodes) {
      if (!isScalar(node) || node.value === null) {
        this.#refuse(node, key, { found: describeNode(node), expected: 'write a list of texts' });
        return undefined;
      }
      items.push(typeof node.value === 'string' ? node.value : String(node.source));
    }
    return { text: items.join(', '), items, yamlType: 'string', where: this.#locate(at), key };
  }

  #refuse(node: Node, key: string, what: Pick<Problem, 'found' | 'expected'>): void {
    this.problems.push({ where: this.#locate(node), key, ...what });
  }
}
