import { type Collector, collectors } from '../../../src/resources/collector.ts';
import { answerFaults, bombFaults } from './answer-fault.ts';
import { type ApiFault, raisedBy } from './api-fault.ts';
import { certificateFaults } from './certificate-fault.ts';
import { clockFaults } from './clock-fault.ts';
import { connectionFaults } from './connection-fault.ts';
import { historyFaults } from './history-fault.ts';
import { listFaults } from './list-fault.ts';
import type { MachineFault } from './machine-fault.ts';
import { processFaults } from './process-fault.ts';
import { statusFaults } from './status-fault.ts';
import { valueFaults } from './value-fault.ts';

/** A row of a table of faults without its fault, as people read it: cells of faults that look alike are one row. */
type Cells = readonly string[];

const apiFaults = [
  ...[...connectionFaults, ...certificateFaults, ...statusFaults],
  ...[...answerFaults, ...bombFaults, ...listFaults, ...valueFaults],
];

/** Tables of all faults that are tried, by the name of their section in the document. */
export function renderFaultTables(): Readonly<Record<string, string>> {
  return {
    service: foldRows(
      ['fault', 'fails', 'reason', 'alerts'],
      apiFaults.map(row => [row.fault, describeApiFault(row)]),
    ),
    machine: foldRows(
      ['fault', 'page', 'log', 'alerts'],
      [...processFaults, ...clockFaults, ...historyFaults].map(row => [row.fault, describeMachineFault(row)]),
    ),
  };
}

function describeMachineFault({ signs, log, alerts, down = false }: MachineFault): Cells {
  const shown = new Set(signs.map(sign => `\`${sign.replace(/\{collector="\w+"\}/, '')}\``));
  const page = down ? 'none' : [...shown].join(', ') || '–';
  return [page, describeLog(log), alerts.map(linkAlert).join(', ') || '–'];
}

function describeApiFault(row: ApiFault): Cells {
  const { fails = collectors, counts = [], holds = [], reason } = row;
  const counting = [...fails, ...counts];
  const where = fails.length === counting.length ? '' : ` of ${nameCollectors(counting)}`;
  const held = holds.map(field => `implausible \`${field}\``);
  const reasons = [...(reason === undefined ? [] : [`\`${reason}\`${where}`]), ...held].join(', ');
  return [nameCollectors(fails) || '–', reasons || '–', describeAlerts(raisedBy(row))];
}

/** Empty where the alerts are the usual two. */
function describeAlerts(alerts: readonly string[]): string {
  if (alerts.join() === 'DbpmAccountFailing,DbpmDataStale') return '';
  return alerts.map(linkAlert).join(', ') || '–';
}

/** The first line without what it quotes at its end. */
function describeLog(log: string | undefined): string {
  return log === undefined ? '–' : escapeText(log.replace(/ \(.*\)$/s, ''));
}

function nameCollectors(named: readonly Collector[]): string {
  if (named.length === collectors.length) return 'all';
  return named.map(collector => `\`${collector}\``).join(', ');
}

/** The first of many that look alike stand for all of them. */
const mostAlike = 2;

/** One row for faults that have all cells in common, in the order of the first of them. */
function foldRows(heads: readonly string[], rows: readonly (readonly [string, Cells])[]): string {
  const folded = Map.groupBy(rows, ([, cells]) => cells.join(' | '));
  const lines = [...folded].map(([cells, alike]) => {
    const named = alike.slice(0, mostAlike).map(([fault]) => escapeText(fault));
    const others = alike.length > mostAlike ? [`and ${alike.length - mostAlike} more`] : [];
    return `| ${[...named, ...others].join('; ')} | ${cells} |`;
  });
  return [`| ${heads.join(' | ')} |`, `|${'---|'.repeat(heads.length)}`, ...lines, ''].join('\n');
}

/** Text in a cell, where neither a bar nor what looks like a tag may end it. */
function escapeText(text: string): string {
  return text.replaceAll(/[|<>{}[\]*_`\\]/g, '\\$&');
}

function linkAlert(name: string): string {
  return `[\`${name}\`](alerts.md#${name.toLowerCase()})`;
}
