import { existsSync, readFileSync } from 'node:fs';
import { renderBoard } from '../../dashboards/boards/board.ts';
import { boards } from '../../dashboards/boards/board-list.ts';
import { renderGrafanaAlerts } from '../../dashboards/grafana-alerts/grafana-alert.ts';
import { renderAlertTable } from '../../dashboards/rules/alert-table.ts';
import { buildRuleGroups, renderRuleFile } from '../../dashboards/rules/rule-file.ts';
import { loadCheckedRules } from '../../src/check/loaded-config.ts';
import { renderSettingTable } from '../../src/config/setting-table.ts';
import { renderMetricTable } from '../../src/metrics/metric-table.ts';
import { renderSeriesTable } from '../../src/resources/series/series-table.ts';
import { renderPlanExample } from './plan-example.ts';

const readmePath = new URL('../../README.md', import.meta.url).pathname;
const rulePath = new URL('../../dashboards/rules/dbpm.rules.yml', import.meta.url).pathname;
/** The same rules for the mixin: std.parseYaml of jsonnet 0.18 ends the program over the expressions in the YAML. */
const mixinRulePath = new URL('../../dashboards/rules/dbpm.rules.json', import.meta.url).pathname;
const grafanaAlertPath = new URL('../../dashboards/grafana-alerts/dbpm.alerts.yml', import.meta.url).pathname;
const defaultRules = await loadCheckedRules({ flags: {}, env: {} });
const planExample = await renderPlanExample();
const lockPath = new URL('../../package-lock.json', import.meta.url).pathname;

/** Parts of the README that follow from declarations, by the name their markers carry. */
const sections: Readonly<Record<string, () => string>> = {
  metrics: renderMetricTable,
  settings: renderSettingTable,
  alerts: renderAlertTable,
  series: renderSeriesTable,
  plan: () => planExample,
};

export interface GeneratedFile {
  readonly path: string;
  readonly current: string;
  readonly wanted: string;
}

/** Every committed file with generated content, as it is and as it should be. */
export function readGeneratedFiles(): readonly GeneratedFile[] {
  return [
    generateFile(readmePath, renderReadme),
    generateFile(lockPath, renderLock),
    generateFile(rulePath, () => renderRuleFile(defaultRules)),
    generateFile(mixinRulePath, () => toJson({ groups: buildRuleGroups(defaultRules) })),
    generateFile(grafanaAlertPath, () => renderGrafanaAlerts(buildRuleGroups(defaultRules))),
    ...boards.map(board => generateFile(boardPath(board.uid), () => toJson(renderBoard(board)))),
  ];
}

function toJson(value: object): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

function boardPath(uid: string): string {
  return new URL(`../../dashboards/boards/${uid}.json`, import.meta.url).pathname;
}

/** A file that is not there yet counts as empty. */
function generateFile(path: string, render: (current: string) => string): GeneratedFile {
  const current = existsSync(path) ? readFileSync(path, 'utf8') : '';
  return { path, current, wanted: render(current) };
}

function renderReadme(current: string): string {
  return Object.entries(sections).reduce(
    (text, [name, render]) => replaceSection(text, name, render()),
    current,
  );
}

/**
 * better-sqlite3 carries its binaries and says `gypfile: false`, which npm leaves out of the lock; npm 10, which
 * comes with Node 20 and 22, would then compile it, and fail where there is no compiler.
 */
function renderLock(current: string): string {
  const lock: { packages: Record<string, object> } = JSON.parse(current);
  const path = 'node_modules/better-sqlite3';
  lock.packages[path] = { ...lock.packages[path], gypfile: false };
  return toJson(lock);
}

function replaceSection(text: string, name: string, content: string): string {
  const begin = `<!-- generated: ${name} -->\n`;
  const end = `<!-- end: ${name} -->`;
  const from = text.indexOf(begin);
  const to = text.indexOf(end);
  if (from < 0 || to < from) throw new Error(`README.md has no section between ${begin.trim()} and ${end}`);
  return `${text.slice(0, from + begin.length)}\n${content}\n${text.slice(to)}`;
}
