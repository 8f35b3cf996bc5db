import { readFileSync } from 'node:fs';
import { renderAlertTable } from '../../dashboards/rules/alert-table.ts';
import { makeCommands } from '../../src/cli/command-list.ts';
import { simulateHelp } from '../../src/cli/simulate-help.ts';
import { renderSettingTable } from '../../src/config/setting-table.ts';
import { renderTables } from '../../src/lake/table/column-text.ts';
import { renderMetricTable } from '../../src/metrics/metric-table.ts';
import { renderSeriesTable } from '../../src/resources/series/series-table.ts';
import { makeFakeIo } from '../cli/fake-io.ts';
import { renderFaultTables } from '../e2e/fault/fault-document.ts';
import { renderChartValueTable } from './chart-document.ts';
import type { DemoExamples } from './demo-example.ts';
import { renderPlanExample } from './demo-example.ts';

/** Parts of a document that follow from declarations or from a run, by the name their markers carry. */
export type Sections = Readonly<Record<string, string>>;

const chartValues = new URL('../../deploy/helm/dbpm-exporter/values.yaml', import.meta.url);

/** Generated sections of every document, by its path below the root of the repository. */
export async function renderSections({
  excerpt,
  report,
  billing,
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
    'docs/configuration.md': { settings: renderSettingTable() },
    'docs/faults.md': renderFaultTables(),
    'docs/invoice.md': { invoice, close },
    'docs/metrics.md': { metrics: renderMetricTable() },
    'docs/plan.md': { plan: await renderPlanExample() },
    'docs/reports.md': { report, billing, why },
    'docs/scale.md': { tables: renderTables() },
    'docs/series.md': { series: renderSeriesTable() },
    'docs/simulator.md': { simulator: `\`\`\`text\n${simulateHelp.trim()}\n\`\`\`\n` },
  };
}

/**
 * A document with its generated sections as they should be.
 *
 * @throws Error when the document has no markers for one of them.
 */
export function replaceSections(document: string, sections: Sections): string {
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
      `| \`${command.name()}\` | ${command.description()}${index === 0 ? '; the default' : ''} |`,
  );
  return ['| command | does |', '|---|---|', ...rows, ''].join('\n');
}
