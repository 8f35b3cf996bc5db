import { existsSync, readFileSync } from 'node:fs';
import { renderBoard } from '../../dashboards/boards/board.ts';
import { boards } from '../../dashboards/boards/board-list.ts';
import { renderGrafanaAlerts } from '../../dashboards/grafana-alerts/grafana-alert.ts';
import { buildRuleGroups, renderRuleFile } from '../../dashboards/rules/rule-file.ts';
import { loadCheckedRules } from '../../src/check-config/loaded-config.ts';
import { renderChartSchema } from './chart-document.ts';
import { renderDemoExamples } from './demo-example.ts';
import { renderSections, replaceSections } from './document-section.ts';

const rulePath = pathOf('dashboards/rules/dbpm.rules.yml');
/** The same rules for the mixin: std.parseYaml of jsonnet 0.18 ends the program over the expressions in the YAML. */
const mixinRulePath = pathOf('dashboards/rules/dbpm.rules.json');
const grafanaAlertPath = pathOf('dashboards/grafana-alerts/dbpm.alerts.yml');
const defaultRules = await loadCheckedRules({ flags: {}, env: {} });
const lockPath = pathOf('package-lock.json');
/** A chart can only hold files of its own folder. */
const chartPath = 'deploy/helm/dbpm-exporter';

const demo = await renderDemoExamples();
const documents = await renderSections(demo);

export interface GeneratedFile {
  readonly path: string;
  readonly current: string;
  readonly wanted: string;
}

/** Every committed file with generated content, as it is and as it should be. */
export function readGeneratedFiles(): readonly GeneratedFile[] {
  return [
    ...Object.entries(documents).map(([path, sections]) =>
      generateFile(pathOf(path), current => replaceSections(current, sections)),
    ),
    generateFile(lockPath, renderLock),
    generateFile(rulePath, () => renderRuleFile(defaultRules)),
    generateFile(mixinRulePath, () => toJson({ groups: buildRuleGroups(defaultRules) })),
    generateFile(grafanaAlertPath, () => renderGrafanaAlerts(buildRuleGroups(defaultRules))),
    ...boards.map(board => generateFile(boardPath(board.uid), () => toJson(renderBoard(board)))),
    generateFile(pathOf(`${chartPath}/values.schema.json`), renderChartSchema),
    generateFile(pathOf(`${chartPath}/rules/dbpm.rules.yml`), () => renderRuleFile(defaultRules)),
    ...boards.map(board =>
      // On one line: nobody reads the copy.
      generateFile(
        pathOf(`${chartPath}/dashboards/${board.uid}.json`),
        () => `${JSON.stringify(renderBoard(board))}\n`,
      ),
    ),
  ];
}

function toJson(value: object): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

/** @param path below the root of the repository. */
function pathOf(path: string): string {
  return new URL(`../../${path}`, import.meta.url).pathname;
}

function boardPath(uid: string): string {
  return pathOf(`dashboards/boards/${uid}.json`);
}

/** A file that is not there yet counts as empty. */
function generateFile(path: string, render: (current: string) => string): GeneratedFile {
  const current = existsSync(path) ? readFileSync(path, 'utf8') : '';
  return { path, current, wanted: render(current) };
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
