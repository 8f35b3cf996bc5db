import * as dashboard from '@grafana/grafana-foundation-sdk/dashboard';
import { DataqueryBuilder } from '@grafana/grafana-foundation-sdk/prometheus';
import * as textPanel from '@grafana/grafana-foundation-sdk/text';
import { consolePages, localConsole } from '../rules/console-link.ts';
import { type BoardPanel, datasource } from './panel.ts';
import {
  accountVariable,
  centVariable,
  datasourceVariable,
  groupingVariable,
  instanceVariable,
  jobVariable,
  projectVariable,
} from './variable.ts';

/** A board as it is written down here; `renderBoard` gives what Grafana reads. */
export interface Board {
  readonly uid: keyof typeof consolePages;
  readonly title: string;
  /** Markdown: the question the board answers, and where to go on. */
  readonly question: string;
  readonly since: string;
  /** How projects are chosen: many, exactly one, or not at all where nothing is about projects. */
  readonly projects: 'many' | 'one' | 'none';
  readonly sections: readonly Section[];
}

/** Panels under one heading, in the order they are read. */
export interface Section {
  readonly title: string;
  /** Whether it is closed until somebody opens it. */
  readonly isFolded?: boolean;
  readonly panels: readonly BoardPanel[];
}

/** The targets of the links on top of every board. */
const overviewTag = 'dbpm';
/** A board of one project is reached by the name of a project: a link that keeps "All" would make no sense there. */
const drillDownTag = 'dbpm-drill-down';
const columns = 24;
const introductionHeight = 3;

/** A board as Grafana's classic JSON. */
export function renderBoard(board: Board): dashboard.Dashboard {
  const builder = new dashboard.DashboardBuilder(board.title)
    .uid(board.uid)
    .description(board.question.replaceAll('**', '').split('\n')[0] ?? '')
    .tags([board.projects === 'one' ? drillDownTag : overviewTag])
    .readonly()
    .timezone('browser')
    .time({ from: `now-${board.since}`, to: 'now' })
    .refresh('1m')
    .tooltip(dashboard.DashboardCursorSync.Crosshair)
    .variables([datasourceVariable(), jobVariable(), instanceVariable(), accountVariable()])
    .link(
      new dashboard.DashboardLinkBuilder('DBPM boards')
        .type(dashboard.DashboardLinkType.Dashboards)
        .tags([overviewTag])
        .asDropdown(false)
        .includeVars(true)
        .keepTime(true),
    )
    .link(
      new dashboard.DashboardLinkBuilder('Console')
        .type(dashboard.DashboardLinkType.Link)
        .url(`${localConsole}${consolePages[board.uid]}`)
        .tooltip('The same in the console of dbpm-exporter')
        .targetBlank(true),
    )
    .annotation(firingAlerts());
  if (board.projects !== 'none') builder.withVariable(projectVariable({ single: board.projects === 'one' }));
  if (asksFor(board, '$grouping')) builder.withVariable(groupingVariable());
  if (asksFor(board, '$cent')) builder.withVariable(centVariable());
  const rendered = { ...builder.build(), schemaVersion: 42, panels: placePanels(board) };
  return withoutPlacement(rendered);
}

/** Whether a query of the board has a variable in it. */
function asksFor({ sections }: Board, variable: '$cent' | '$grouping'): boolean {
  return JSON.stringify(sections).includes(variable);
}

function firingAlerts() {
  const expression = 'ALERTS{alertname=~"Dbpm.*", alertstate="firing"}';
  return new dashboard.AnnotationQueryBuilder()
    .name('Firing alerts')
    .datasource(datasource)
    .enable(true)
    .iconColor('red')
    .expr(expression)
    .titleFormat('{{alertname}}')
    .textFormat('{{account}} {{project_name}} {{project_id}} {{endpoint_id}} {{key_name}} {{budget}}')
    .tagKeys('severity')
    .target(new DataqueryBuilder().expr(expression).refId('Anno').range().datasource(datasource));
}

/** From left to right, as many as fit beside each other; every section on rows of its own. */
function placePanels({ question, sections }: Board): (dashboard.Panel | dashboard.RowPanel)[] {
  const introduction: dashboard.Panel = {
    ...new textPanel.PanelBuilder().mode(textPanel.TextMode.Markdown).content(question).build(),
    title: 'What this board answers',
    description: 'The question behind the panels below, and where to go on.',
    gridPos: { x: 0, y: 0, w: columns, h: introductionHeight },
  };
  const placed: (dashboard.Panel | dashboard.RowPanel)[] = [introduction];
  let y = introductionHeight;
  for (const { title, panels, isFolded = false } of sections) {
    const { inside, height } = placeSection(panels, y + 1);
    const row: dashboard.RowPanel = {
      type: 'row',
      id: 0,
      title,
      collapsed: isFolded,
      panels: isFolded ? inside : [],
      gridPos: { x: 0, y, w: columns, h: 1 },
    };
    placed.push(row, ...(isFolded ? [] : inside));
    y += isFolded ? 1 : 1 + height;
  }
  return numberPanels(placed);
}

function placeSection(panels: readonly BoardPanel[], top: number) {
  const inside: dashboard.Panel[] = [];
  let [x, y, lineHeight] = [0, top, 0];
  for (const { panel } of panels) {
    const { w = columns, h = 0 } = panel.gridPos ?? {};
    if (x + w > columns) [x, y, lineHeight] = [0, y + lineHeight, 0];
    inside.push({ ...panel, gridPos: { x, y, w, h } });
    x += w;
    lineHeight = Math.max(lineHeight, h);
  }
  return { inside, height: y + lineHeight - top };
}

/** From 1 on; a folded row holds its panels itself. */
function numberPanels(placed: readonly (dashboard.Panel | dashboard.RowPanel)[]) {
  let last = 0;
  const number = <Panel extends dashboard.Panel | dashboard.RowPanel>(panel: Panel): Panel => {
    last += 1;
    const numbered = { ...panel, id: last };
    return isRow(numbered) ? { ...numbered, panels: numbered.panels.map(number) } : numbered;
  };
  return placed.map(number);
}

function isRow(panel: dashboard.Panel | dashboard.RowPanel): panel is dashboard.RowPanel {
  return panel.type === 'row';
}

/** The kit adds a placement to links and annotations that Grafana takes for an order to hide them in a menu. */
function withoutPlacement<Rendered>(rendered: Rendered): Rendered {
  return JSON.parse(
    JSON.stringify(rendered, (key, value) =>
      key === 'placement' && value === 'inControlsMenu' ? undefined : value,
    ),
  );
}
