import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { readChartValues } from '../../support/chart-document.ts';

const folder = new URL('../../../deploy/helm/dbpm-exporter/', import.meta.url);
const read = (file: string) => readFileSync(new URL(file, folder), 'utf8');

interface Schema {
  readonly $ref?: string;
  readonly type?: string;
  readonly additionalProperties?: unknown;
  readonly properties?: Readonly<Record<string, Schema>>;
}

const schema: Schema & { readonly definitions: Readonly<Record<string, Schema>> } = JSON.parse(
  read('values.schema.json'),
);
const values: Readonly<Record<string, unknown>> = parse(read('values.yaml'));
const documented = readChartValues(read('values.yaml')).map(({ key }) => key);

/** The keys of a table that the schema closes, by their paths; those of open tables are the user's own. */
function listClosedKeys(table: Schema, prefix = ''): string[] {
  return Object.entries(table.properties ?? {}).flatMap(([key, each]) => {
    const path = `${prefix}${key}`;
    const isClosed = each.additionalProperties === false && !documented.includes(path);
    return isClosed ? listClosedKeys(each, `${path}.`) : [path];
  });
}

test('every value of the chart is in its schema and documented, and nothing else', () => {
  // Helm itself and charts that have this one as a part give these.
  const known = listClosedKeys(schema).filter(key => key !== 'global' && key !== 'enabled');
  expect(documented.toSorted()).toEqual(known.toSorted());
  expect(documented.length).toBeGreaterThan(90);
  expect(schema.additionalProperties).toBe(false);
});

test('every reference of the schema leads to a definition, and every definition is used', () => {
  const references = Array.from(
    read('values.schema.json').matchAll(/"#\/definitions\/(\w+)"/g),
    ([, name]) => name,
  );
  expect([...new Set(references)].toSorted()).toEqual(Object.keys(schema.definitions).toSorted());
});

test('the chart has the version of the program', () => {
  const { version } = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8'));
  expect(parse(read('Chart.yaml'))).toMatchObject({
    apiVersion: 'v2',
    name: 'dbpm-exporter',
    version,
    appVersion: version,
  });
});

test('no key, password or certificate is among the defaults', () => {
  expect(values).toMatchObject({
    apiKeys: { create: false, values: {} },
    webConfig: { content: {} },
    config: {},
  });
});
