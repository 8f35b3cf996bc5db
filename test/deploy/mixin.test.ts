import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { describeWithPeers } from '../support/peer.ts';

const folder = new URL('../../dashboards/', import.meta.url).pathname;

interface Groups {
  readonly groups: readonly { readonly name: string; readonly rules: readonly object[] }[];
}

interface Mixin {
  readonly boards: Readonly<Record<string, unknown>>;
  readonly alerts: Groups;
  readonly rules: Groups;
}

describeWithPeers(['jsonnet'], 'the mixin', ({ jsonnet }) => {
  test('holds every generated board and rule, as generated, alerts apart from recording rules', async () => {
    const source = `local mixin = import '${folder}mixin.libsonnet';
      { boards: mixin.grafanaDashboards, alerts: mixin.prometheusAlerts, rules: mixin.prometheusRules }`;
    const options = { maxBuffer: 64 * 1024 * 1024 };
    const { stdout } = await promisify(execFile)(jsonnet, ['-e', source], options);
    const { boards, alerts, rules }: Mixin = JSON.parse(stdout);

    const files = readdirSync(`${folder}boards`).filter(file => file.endsWith('.json'));
    expect(files.length).toBeGreaterThan(0);
    expect(boards).toEqual(Object.fromEntries(files.map(file => [file, readJson(`boards/${file}`)])));

    const { groups }: Groups = parse(readFileSync(`${folder}rules/dbpm.rules.yml`, 'utf8'));
    expect([...rules.groups, ...alerts.groups]).toEqual(groups);
    expect(alerts.groups.flatMap(group => group.rules).filter(rule => !('alert' in rule))).toEqual([]);
    expect(rules.groups.flatMap(group => group.rules).filter(rule => 'alert' in rule)).toEqual([]);
  });
});

function readJson(path: string): unknown {
  return JSON.parse(readFileSync(folder + path, 'utf8'));
}
