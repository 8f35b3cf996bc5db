import { isMap, isScalar, type Node, parseDocument } from 'yaml';
import { accountSettings } from '../../src/config/account-setting.ts';
import { alertsKey, labelsKey } from '../../src/config/alert-setting.ts';
import { globalSettings, ignoreKey } from '../../src/config/setting.ts';
import type { Setting } from '../../src/config/setting-row.ts';
import { nestedLevels } from '../../src/config/unknown-key.ts';

/** Settings that the chart gives as flags, which go before the file. */
const chartKeys: readonly string[] = [
  'shard',
  'history.file',
  'web.listen_address',
  'web.health_address',
  'web.systemd_socket',
];

type Schema = Readonly<Record<string, unknown>>;
interface Group extends Schema {
  readonly properties: Readonly<Record<string, Schema>>;
}

/** The schema of a chart's values, with that of `config` as the settings say. */
export function renderChartSchema(current: string): string {
  const schema: { properties: Record<string, Schema> } = JSON.parse(current);
  schema.properties.config = { description: 'docs/configuration.md', ...makeConfigSchema() };
  return `${JSON.stringify(schema, null, 2)}\n`;
}

function makeConfigSchema(): Schema {
  const rows = globalSettings.map(setting => [setting.key, describeSetting(setting)] as const);
  const others = [...nestedLevels.keys(), labelsKey, alertsKey, ignoreKey].map(key => [key, {}] as const);
  const { properties, ...closed } = nest(new Map([...rows, ...others]));
  return { ...closed, properties: { accounts: makeAccountSchema(), ...properties } };
}

function makeAccountSchema(): Schema {
  const fields = Object.entries<Setting>(accountSettings).filter(([, { yaml }]) => yaml !== false);
  const items = nest(new Map(fields.map(([name, setting]) => [name, describeSetting(setting)])));
  return { type: 'array', minItems: 1, items: { ...items, required: ['name', 'base_url'] } };
}

function describeSetting({ key, help }: Setting): Schema {
  if (chartKeys.includes(key)) return { description: 'The chart gives it as a flag.', not: {} };
  return { description: help };
}

/** Schemas of groups, closed to other keys, from those of settings by their keys. */
function nest(settings: ReadonlyMap<string, Schema>): Group {
  const names = new Set(Array.from(settings.keys(), key => key.split('.', 1).join()));
  const properties = Array.from(names, (name): [string, Schema] => {
    const own = settings.get(name);
    if (own !== undefined) return [name, own];
    const prefix = `${name}.`;
    const below = Array.from(settings)
      .filter(([key]) => key.startsWith(prefix))
      .map(([key, schema]) => [key.slice(prefix.length), schema] as const);
    return [name, nest(new Map(below))];
  });
  return { type: 'object', additionalProperties: false, properties: Object.fromEntries(properties) };
}

const mark = '--';

/** A value of a chart that a user may set, from the comment that begins with `--` above it, as helm-docs reads it. */
interface ChartValue {
  readonly key: string;
  readonly usual: unknown;
  readonly help: string;
}

/** Every documented value of a `values.yaml`, in its order. */
export function readChartValues(source: string): ChartValue[] {
  const { contents } = parseDocument(source);
  return listValues(contents, '');
}

function listValues(node: Node | null, prefix: string): ChartValue[] {
  if (!isMap(node)) return [];
  return node.items.flatMap(({ key, value }, index) => {
    if (!isScalar(key)) return [];
    // A comment ahead of the first key belongs to its table.
    const comment = (index === 0 ? node.commentBefore : undefined) ?? key.commentBefore ?? '';
    const help = readHelp(comment);
    const path = `${prefix}${key.value}`;
    if (help === undefined) return listValues(value as Node | null, `${path}.`);
    return [{ key: path, usual: (value as Node | null)?.toJSON() ?? null, help }];
  });
}

function readHelp(comment: string): string | undefined {
  const lines = comment.split('\n').map(line => line.trim());
  return lines
    .find(line => line.startsWith(mark))
    ?.slice(mark.length)
    .trim();
}

export function renderChartValueTable(source: string): string {
  const rows = readChartValues(source).map(
    ({ key, usual, help }) => `| \`${key}\` | \`${JSON.stringify(usual)}\` | ${help} |`,
  );
  return ['| value | default | what it is |', '|---|---|---|', ...rows, ''].join('\n');
}
