import { type Collector, collectors } from '../../../src/resources/collector.ts';
import { answerFaults, bombFaults } from './answer-fault.ts';
import { type ApiFault, raisedBy } from './api-fault.ts';
import { certificateFaults } from './certificate-fault.ts';
import { clockFaults } from './clock-fault.ts';
import { connectionFaults } from './connection-fault.ts';
import { historyFaults } from './history-fault.ts';
import { inboundFaults } from './inbound-fault.ts';
import { listFaults } from './list-fault.ts';
import type { MachineFault } from './machine-fault.ts';
import { processFaults } from './process-fault.ts';
import { statusFaults } from './status-fault.ts';
import { valueFaults } from './value-fault.ts';

/** A row of the table of faults, as people read it. */
interface FaultRow {
  readonly fault: string;
  readonly page: string;
  readonly log: string | undefined;
  readonly alerts: readonly string[];
}

const apiGroups = {
  connection: [...connectionFaults, ...certificateFaults],
  status: statusFaults,
  answer: [...answerFaults, ...bombFaults],
  list: listFaults,
  value: valueFaults,
} as const;

/** Tables of all faults that are tried, by the name of their section in the document. */
export function renderFaultTables(): Readonly<Record<string, string>> {
  const tables = Object.entries(apiGroups).map(([name, faults]) => [
    name,
    renderTable(faults.map(describeApiFault)),
  ]);
  return {
    ...Object.fromEntries(tables),
    inbound: renderInbound(),
    machine: renderTable([...processFaults, ...clockFaults, ...historyFaults].map(describeMachineFault)),
  };
}

function describeMachineFault({ fault, signs, log, alerts, down = false }: MachineFault): FaultRow {
  if (down) return { fault, page: 'none', log, alerts };
  return { fault, page: signs.map(sign => `\`${sign}\``).join(', ') || 'as on any good day', log, alerts };
}

function renderInbound(): string {
  const lines = inboundFaults.map(({ fault, outcome }) => `| ${escapeText(fault)} | ${outcome} |`);
  return ['| what a client does | what becomes of it |', '|---|---|', ...lines, ''].join('\n');
}

function describeApiFault(row: ApiFault): FaultRow {
  return { fault: row.fault, page: describePage(row), log: row.log, alerts: raisedBy(row) };
}

function describePage({ fails = collectors, reason, counts = [], holds = [] }: ApiFault): string {
  const isList = fails.some(collector => collector === 'projects' || collector === 'api_keys');
  const low = isList ? ['`dbpm_up`', ...(reason === 'unauthorized' ? ['`dbpm_auth_ok`'] : [])] : [];
  const failing = fails.length === 0 ? [] : [`\`dbpm_collector_success\` of ${nameCollectors(fails)}`];
  const zero = [...low, ...failing];
  const counting = [...fails, ...counts];
  const grows =
    reason === undefined
      ? []
      : [`\`dbpm_collector_errors_total\` of ${nameCollectors(counting)} counts \`${reason}\``];
  const held =
    holds.length === 0
      ? []
      : [`\`dbpm_account_implausible_values_total\` counts ${holds.map(field => `\`${field}\``).join(', ')}`];
  const all = [...(zero.length === 0 ? [] : [`${zero.join(', ')} 0`]), ...grows, ...held];
  return all.length === 0 ? 'as on any good day' : all.join('; ');
}

function nameCollectors(named: readonly Collector[]): string {
  if (named.length === collectors.length) return 'all collectors';
  return named.map(collector => `\`${collector}\``).join(', ');
}

function renderTable(rows: readonly FaultRow[]): string {
  const lines = rows.map(({ fault, page, log, alerts }) =>
    [
      fault,
      page,
      log === undefined ? 'nothing' : escapeText(log),
      alerts.map(linkAlert).join(', ') || 'none',
    ].join(' | '),
  );
  return [
    '| fault | page | log | alerts |',
    '|---|---|---|---|',
    ...lines.map(line => `| ${line} |`),
    '',
  ].join('\n');
}

/** Text of a log in a cell, where neither a bar nor what looks like a tag may end it. */
function escapeText(text: string): string {
  return text.replaceAll(/[|<>{}[\]*_`\\]/g, '\\$&');
}

function linkAlert(name: string): string {
  return `[\`${name}\`](alerts.md#${name.toLowerCase()})`;
}
