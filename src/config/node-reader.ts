import * as v from 'valibot';
import type { Problem } from './problem.ts';
import { type Schema, strange } from './schema.ts';
import type { Setting } from './setting-row.ts';
import { describeUnknownKey, isSecretName, writtenKey } from './unknown-key.ts';
import type { SettingType, ValueOfType, ValueSchemas } from './value-schema.ts';
import { describeShape, type WrittenNode } from './written-node.ts';

/** The value of a setting, or undefined after adding to `problems` what is wrong with it. */
export function readSetting<Type extends SettingType>(
  setting: Setting<Type>,
  node: WrittenNode,
  { schemas, problems }: { readonly schemas: ValueSchemas; readonly problems: Problem[] },
): ValueOfType<Type> | undefined {
  const schema: Schema<unknown> = schemas[setting.type](setting);
  return readNode(schema, node, problems) as ValueOfType<Type> | undefined;
}

/** The value of a node, or undefined after adding to `problems` what is wrong with it. */
export function readNode<Value>(
  schema: Schema<Value>,
  node: WrittenNode,
  problems: Problem[],
): Value | undefined {
  const read = v.safeParse(schema, node);
  if (read.success) return read.output;
  for (const issue of read.issues) problems.push(describeIssue(issue, node));
  return undefined;
}

function describeIssue(
  { input, path, received, expected, message, type }: v.BaseIssue<unknown>,
  root: WrittenNode,
): Problem {
  if (input === undefined) {
    const group = (path?.at(-2)?.value ?? root) as WrittenNode;
    const key = `${group.key}.${String(path?.at(-1)?.key)}`;
    // It comes after all that is there.
    return { where: group.where, key, at: group.range?.[1], found: 'nothing', expected: message };
  }
  const node = input as WrittenNode;
  const place = { where: node.where, key: node.key || 'the file', at: node.range?.[0] };
  if (expected === strange) return { ...place, ...describeUnknownKey(node.key, message.split(' ')) };
  if (type !== 'custom') return { ...place, found: received, expected: message };
  if (node.kind === 'value' && isSecretName(node.key)) return { ...place, ...writtenKey };
  return { ...place, found: describeShape(node), expected: message };
}
