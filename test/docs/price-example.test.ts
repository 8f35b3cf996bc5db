import { expect, test } from 'vitest';
import { loadConfigChecks } from '../../src/check-config/config-checks.ts';
import { loadConfig } from '../../src/config/load-config.ts';
import { type Amount, addAmounts, noAmount, showAmount } from '../../src/cost/money/money.ts';
import type { CostLine } from '../../src/cost/rating/cost-line.ts';
import { createCosting } from '../../src/cost/rating/costing.ts';
import type { PriceBook } from '../../src/resources/price-book.ts';
import { computeHourMs } from '../../src/resources/usage/ledger.ts';
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

const trim = (text: string) => text.replace(/\.?0+$/, '');
/** At least two decimals, no more than it has. */
const money = (amount: Amount) => showAmount(amount, 8).replace(/(\.\d\d\d*?)0+$/, '$1');
const hours = (cuMs: number) => (cuMs === 0 ? '' : trim((cuMs / computeHourMs).toFixed(6)));
const sum = (lines: readonly CostLine[]) =>
  lines.reduce((total, { charge }) => addAmounts(total, charge?.amount ?? noAmount), noAmount);

const words: Readonly<Record<string, string>> = {
  base_fee: 'base fee',
  usage: 'compute',
};

/** The invoice as the page shows it: usage with the same plan, price and tier is one line. */
function showBill(lines: readonly CostLine[]): string[][] {
  const keyOf = ({ kind, plan, name, tier, charge }: CostLine, index: number) =>
    JSON.stringify(kind === 'usage' ? [plan, tier, charge?.price] : [kind, plan, name, index]);
  const invoice = Map.groupBy(lines.entries(), ([index, line]) => keyOf(line, index));
  const rows = [...invoice.values()].map(entries => {
    const members = entries.map(([, line]) => line);
    const [{ kind, plan, name, tier, quantity, charge } = {} as CostLine] = members;
    const title = [name ?? words[kind] ?? kind, plan, tier === undefined ? undefined : `tier ${tier}`];
    const total = (key: 'includedCuMs' | 'billedCuMs') => members.reduce((all, line) => all + line[key], 0);
    const billed = total('billedCuMs') > 0 ? `${hours(total('billedCuMs'))} hours` : '';
    return [
      title.filter(part => part !== undefined).join(', '),
      hours(total('includedCuMs')),
      quantity === undefined ? billed : `${quantity.value} ${quantity.unit}`,
      charge?.price?.discounted ?? '',
      money(sum(members)),
    ];
  });
  return [...rows, ['total', '', '', '', money(sum(lines))]];
}

test('there is an example of each kind of plan', () => {
  expect(sections.map(section => section.split('\n')[0])).toEqual([
    'A floor',
    'A base fee with overage',
    'An allowance of the account',
    'An allowance of each project',
    'Tiers',
    'A plan changed in mid-month',
    'A whole invoice',
  ]);
});

test.each(sections.map(section => [section.split('\n')[0], section]))(
  'the bill of the example is what its price book makes of its use: %s',
  (_title, section = '') => {
    const [use = [], bill = []] = readTables(section);
    const ledger = ledgerOf(readProjects(use), { knownFrom: '2026-10-01' });
    const costing = createCosting({ book: readBook(section), ledger });
    expect(showBill(costing.billLines('main', november, november.untilAt))).toEqual(bill);
  },
);
