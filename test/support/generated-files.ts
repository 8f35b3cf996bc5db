import { existsSync, readFileSync } from 'node:fs';
import { renderBoard } from '../../dashboards/boards/board.ts';
import { boards } from '../../dashboards/boards/board-list.ts';
import { renderGrafanaAlerts } from '../../dashboards/grafana-alerts/grafana-alert.ts';
import { buildRuleGroups, renderRuleFile } from '../../dashboards/rules/rule-file.ts';
import { loadCheckedRules } from '../../src/check/config/loaded-config.ts';
import { makeCommands } from '../../src/cli/command-list.ts';
import { makeFakeIo } from '../cli/fake-io.ts';
import { renderFaultTables } from '../e2e/fault/fault-document.ts';
import { readPage, renderPage } from '../endurance/endurance-table.ts';
import { parts } from '../endurance/part-list.ts';
import { renderAlertTable } from './alert-table.ts';
import { renderChartSchema, renderChartValueTable } from './chart-document.ts';
import { type DemoExamples, renderDemoExamples, renderPlanExample } from './demo-example.ts';
import { renderMetricTable, renderParquetTables, renderSeriesTable } from './document-table.ts';
import { renderSettingList } from './setting-list.ts';

/** Parts of a document that follow from declarations or from a run, by the name their markers carry. */
type Sections = Readonly<Record<string, string>>;

const chartValues = new URL('../../deploy/helm/dbpm-exporter/values.yaml', import.meta.url);

/** Generated sections of every document, by its path below the root of the repository. */
async function renderSections({
  excerpt,
  report,
  invoice,
  close,
  why,
}: DemoExamples): Promise<Readonly<Record<string, Sections>>> {
  return {
    'README.md': { excerpt, commands: renderCommandTable() },
    'deploy/helm/dbpm-exporter/README.md': {
      values: renderChartValueTable(readFileSync(chartValues, 'utf8')),
    },
    'docs/alerts.md': { alerts: renderAlertTable() },
    'docs/configuration.md': { settings: renderSettingList() },
    'docs/faults.md': renderFaultTables(),
    'docs/invoice.md': { invoice, close },
    'docs/metrics.md': { metrics: renderMetricTable() },
    'docs/plan.md': { plan: await renderPlanExample() },
    'docs/reports.md': { report, why },
    'docs/scale.md': { tables: renderParquetTables() },
    'docs/series.md': { series: renderSeriesTable() },
  };
}

/**
 * A document with its generated sections as they should be.
 *
 * @throws Error when the document has no markers for one of them.
 */
function replaceSections(document: string, sections: Sections): string {
  return Object.entries(sections).reduce(
    (text, [name, content]) => replaceSection(text, name, content),
    document,
  );
}

function replaceSection(text: string, name: string, content: string): string {
  const begin = `<!-- generated: ${name} -->\n`;
  const end = `<!-- end: ${name} -->`;
  const from = text.indexOf(begin);
  const to = text.indexOf(end);
  if (from < 0 || to < from)
    throw new Error(`the document has no section between ${begin.trim()} and ${end}`);
  return `${text.slice(0, from + begin.length)}\n${content}\n${text.slice(to)}`;
}

/** A line for each command, as `--help` has it. */
function renderCommandTable(): string {
  const rows = makeCommands(makeFakeIo().io).map(
    (command, index) =>
      `- \`${command.name()}\`: ${command.description()}${index === 0 ? '; the default' : ''}`,
  );
  return [...rows, ''].join('\n');
}

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

interface GeneratedFile {
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
    generateFile(pathOf('docs/endurance.md'), page => renderPage(parts, readPage(page))),
    generateFile(rulePath, () => renderRuleFile(defaultRules)),
    generateFile(mixinRulePath, () => toJson({ groups: buildRuleGroups(defaultRules) })),
    generateFile(grafanaAlertPath, () => renderGrafanaAlerts(buildRuleGroups(defaultRules))),
    ...boards.map(board => generateFile(boardPath(board.uid), () => toJson(renderBoard(board)))),
    generateFile(pathOf(`${chartPath}/values.schema.json`), renderChartSchema),
    generateFile(pathOf(`${chartPath}/rules/dbpm.rules.yml`), () => renderRuleFile(defaultRules)),
    ...boards.map(board =>
      // On one line: the copy is for programs.
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
