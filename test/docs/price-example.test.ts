import { expect, test } from 'vitest';
import { loadConfigChecks } from '../../src/check/config/loaded-config.ts';
import { loadConfig } from '../../src/config/load-config.ts';
import {
  type Amount,
  addAmounts,
  amountOf,
  noAmount,
  showAmount,
  sumAmounts,
} from '../../src/cost/money/money.ts';
import type { CostLine } from '../../src/cost/rating/cost-line.ts';
import { createCosting } from '../../src/cost/rating/costing.ts';
import type { PriceBook } from '../../src/resources/price-book.ts';
import { computeHourMs, type MeteredLedger } from '../../src/resources/usage/ledger.ts';
import { ledgerOf, type ScriptedProject, type UsageStep } from '../cost/memory-ledger.ts';
import { documents } from './document.ts';

const page = documents.find(({ path }) => path === 'docs/prices.md');
const [, chapter = ''] = page?.text.split('\n## Examples\n') ?? [];
const [examples = ''] = chapter.split('\n## ');
const sections = examples.split('\n### ').slice(1);
const checks = await loadConfigChecks();

const november = { fromAt: Date.parse('2026-11-01'), untilAt: Date.parse('2026-12-01') };

function readBook(section: string): PriceBook {
  const [, yaml = ''] = /```yaml\n([\s\S]*?)```/.exec(section) ?? [];
  const loaded = loadConfig({
    flags: { 'config.file': 'dbpm.yaml' },
    env: { DBPM_BASE_URL: 'https://api.example.com/api/v2/', DBPM_API_KEY: 'key' },
    readFile: () => ({ text: yaml, readableByAll: false }),
    checks,
    now: november.untilAt,
  });
  const book = 'config' in loaded ? loaded.config.pricing : undefined;
  if (book === undefined) throw new Error(`no price book in ${section}`);
  return book;
}

/** The rows of the tables of a section, without their headings. */
function readTables(section: string): string[][][] {
  const tables = section.match(/(?:^\|.*\n?)+/gm) ?? [];
  return tables.map(table =>
    table
      .trim()
      .split('\n')
      .slice(2)
      .map(row =>
        row
          .split('|')
          .slice(1, -1)
          .map(cell => cell.trim()),
      ),
  );
}

function readProjects(rows: readonly string[][]): ScriptedProject[] {
  return [...Map.groupBy(rows, ([project]) => project)].map(([project_id = '', members]) => ({
    account: 'main',
    project_id,
    created_at: Date.parse(members[0]?.[1] ?? ''),
    steps: members.map(([, , from = '', until = '', hours = '']): UsageStep => [from, until, Number(hours)]),
  }));
}

/** Alike in each hour. Compute stays that of the first table. */
function meterOf(projects: readonly ScriptedProject[], rows: readonly string[][]): MeteredLedger {
  return {
    others: [],
    knownSpan: () => undefined,
    meteredUntil: (project_ref, metric, at) =>
      rows
        .filter(([id, name]) => id === projects[project_ref - 1]?.project_id && name === metric)
        .map(([, , from = '', until = '', inHour = '']) => {
          const hours = (Math.min(at, Date.parse(until)) - Date.parse(from)) / 3_600_000;
          return Math.max(0, hours) * Number(inHour);
        })
        .reduce((total, each) => total + each, 0),
  };
}

const trim = (text: string) => text.replace(/(\.\d*?)0+$/, '$1').replace(/\.$/, '');
/** At least two decimals, no more than it has. */
const money = (amount: Amount) => showAmount(amount, 8).replace(/(\.\d\d\d*?)0+$/, '$1');
const hours = (cuMs: number) => (cuMs === 0 ? '' : trim((cuMs / computeHourMs).toFixed(6)));
const sum = (lines: readonly CostLine[]) =>
  lines.reduce((total, { charge }) => addAmounts(total, charge?.amount ?? noAmount), noAmount);

const words: Readonly<Record<string, string>> = {
  base_fee: 'base fee',
  usage: 'compute',
};

/** What all lines have of a quantity together, with its unit. */
function quantityOf(lines: readonly CostLine[], of: 'value' | 'included'): string {
  const total = sumAmounts(lines.map(({ quantity }) => amountOf(quantity?.[of] ?? '0')));
  const text = trim(showAmount(total, 9));
  return text === '0' ? '' : `${text} ${lines[0]?.quantity?.unit}`;
}

/** The invoice as the page shows it: use of the same thing with the same plan, price and tier is one line. */
function showBill(lines: readonly CostLine[]): string[][] {
  const keyOf = ({ kind, plan, name, tier, charge }: CostLine, index: number) =>
    JSON.stringify(
      kind === 'usage' || kind === 'metered' ? [plan, name, tier, charge?.price] : [kind, plan, name, index],
    );
  const invoice = Map.groupBy(lines.entries(), ([index, line]) => keyOf(line, index));
  const rows = [...invoice.values()].map(entries => {
    const members = entries.map(([, line]) => line);
    const [{ kind, plan, name, tier, quantity, charge } = {} as CostLine] = members;
    const title = [name ?? words[kind] ?? kind, plan, tier === undefined ? undefined : `tier ${tier}`];
    const total = (key: 'includedCuMs' | 'billedCuMs') => members.reduce((all, line) => all + line[key], 0);
    const billed = total('billedCuMs') > 0 ? `${hours(total('billedCuMs'))} hours` : '';
    return [
      title.filter(part => part !== undefined).join(', '),
      quantity === undefined ? hours(total('includedCuMs')) : quantityOf(members, 'included'),
      quantity === undefined ? billed : quantityOf(members, 'value'),
      charge?.price?.discounted ?? '',
      money(sum(members)),
    ];
  });
  return [...rows, ['total', '', '', '', money(sum(lines))]];
}

test('there is an example of each kind of plan', () => {
  expect(sections.map(section => section.split('\n')[0])).toEqual([
    'Tiers',
    'A plan changed in mid-month',
    'What the service meters',
    'A whole invoice',
  ]);
});

test.each(sections.map(section => [section.split('\n')[0], section]))(
  'the bill of the example is what its price book makes of its use: %s',
  (_title, section = '') => {
    const tables = readTables(section);
    const [use = [], bill = []] = [tables[0], tables.at(-1)];
    const projects = readProjects(use);
    const metered = meterOf(projects, tables.length > 2 ? (tables[1] ?? []) : []);
    const ledger = { ...ledgerOf(projects, { knownFrom: '2026-10-01' }), metered };
    const costing = createCosting({ book: readBook(section), ledger });
    expect(showBill(costing.billLines('main', november, november.untilAt))).toEqual(bill);
  },
);

test('the example of what is metered is the price book that it names', () => {
  const section = sections.find(each => each.startsWith('What the service meters')) ?? '';
  const [, name] = /those of the book `([^`]+)`/.exec(section) ?? [];
  expect(readBook(section)).toEqual(readBook(`\`\`\`yaml\npricing: {book: ${name}}\n\`\`\``));
});
