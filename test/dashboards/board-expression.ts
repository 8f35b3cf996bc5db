import { boards } from '../../dashboards/boards/board-list.ts';
import type { Fault } from '../../dashboards/boards/fault.ts';

/** A query of a panel, ready to be run. */
export interface BoardExpression {
  readonly board: string;
  readonly panel: string;
  readonly expression: string;
  readonly filledBy?: Fault;
}

/** The text that Grafana puts in place of each variable when everything is selected. */
export const everything: Readonly<Record<string, string>> = {
  job: '.+',
  instance: '.+',
  account: '.+',
  project: '.+',
  grouping: '.+',
  cent: '0.01',
  __rate_interval: '2m',
  __range: '1h',
  __range_s: '3600',
};

/** Every query of every panel of every board with its variables substituted. */
export function listBoardExpressions(values = everything): readonly BoardExpression[] {
  return boards.flatMap(({ uid, sections }) =>
    sections.flatMap(({ panels }) =>
      panels.flatMap(({ panel, filledBy }) =>
        (panel.targets ?? []).map(target => ({
          board: uid,
          panel: panel.title ?? '',
          expression: substitute(readExpression(target), values),
          ...(filledBy && { filledBy }),
        })),
      ),
    ),
  );
}

function readExpression(target: object): string {
  return 'expr' in target && typeof target.expr === 'string' ? target.expr : '';
}

function substitute(expression: string, values: Readonly<Record<string, string>>): string {
  return expression.replaceAll(/\$(\w+)/g, (variable, name: string) => values[name] ?? variable);
}
