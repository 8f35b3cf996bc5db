import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { Fraction, sumOf } from '../cost/fraction.ts';
import { documents } from '../docs/document.ts';
import { describeWithPeers } from '../support/peer.ts';
import { testSeed } from '../support/seed.ts';
import type { BillCase, CaseAmount, CaseProject } from './bill-case.ts';
import { compareBills, describeRandomBills } from './bill-suite.ts';
import { askOracle } from './oracle-bill.ts';
import { programBill } from './program-bill.ts';
import { meteredCase } from './random-case.ts';
import { readFraction, showBill } from './shown-bill.ts';

const hourMs = 3_600_000;
const meteredBills = 60;

describeRandomBills(1, 7);

describeWithPeers(['python3'], 'metered bills of an oracle in another language', ({ python3 }) => {
  const seed = testSeed();

  test(`each line of storage, transfer and branches is the oracle's, to the last fraction (TEST_SEED=${seed})`, () => {
    const cases = fc.sample(meteredCase, { seed, numRuns: meteredBills });
    const kinds = compareBills(python3, cases, `TEST_SEED=${seed}`);
    expect(kinds.filter(kind => kind === 'metered').length).toBeGreaterThan(meteredBills);
  });
});

describeWithPeers(['python3'], 'bills of the documents', ({ python3 }) => {
  const cases = documentedCases();
  const bills = askOracle(
    python3,
    cases.map(({ asked }) => asked),
  );

  test('there are some', () => {
    expect(cases.length).toBeGreaterThanOrEqual(4);
  });

  test.each(cases.map(({ title }, index) => [title, index] as const))(
    'the oracle, the program and the page agree: %s',
    (_title, index) => {
      const [{ asked, total } = {}, bill = []] = [cases[index], bills[index]];
      expect(showBill(asked ? programBill(asked) : [])).toEqual(showBill(bill));
      expect(sumOf(bill.map(({ amount = '0' }) => readFraction(amount))).toString()).toBe(total?.toString());
    },
  );
});

/** An example of the documents: what the oracle is asked, and the total that the page shows. */
interface DocumentedCase {
  readonly title: string;
  readonly asked: BillCase;
  readonly total: Fraction;
}

/** The bills of November 2026 that docs/prices.md shows. */
function documentedCases(): DocumentedCase[] {
  const page = documents.find(({ path }) => path === 'docs/prices.md');
  const [, chapter = ''] = page?.text.split('\n## Examples\n') ?? [];
  const [examples = ''] = chapter.split('\n## ');
  return examples
    .split('\n### ')
    .slice(1)
    .map(section => {
      const [title = ''] = section.split('\n');
      const [, yaml = ''] = /```yaml\n([\s\S]*?)```/.exec(section) ?? [];
      const [, total = ''] = /^\| total .*\| +(-?[\d.]+) +\|$/m.exec(section) ?? [];
      const rows = [...section.matchAll(/^\| (\w+) +\| (\d\S+) +\| (\S+) +\| (\S+) +\| ([\d.]+) +\|$/gm)];
      const use = rows.map(([, project = '', since = '', from = '', to = '', hours = '']) => {
        return { project, since: Date.parse(since), from: Date.parse(from), to: Date.parse(to), hours };
      });
      const projects = Map.groupBy(use, ({ project }) => project);
      const { pricing } = parse(yaml) as { readonly pricing: object };
      return {
        title,
        total: Fraction.of(total),
        asked: {
          pricing,
          accounts: ['main'],
          account: 'main',
          at: Date.parse('2026-11-01'),
          as_of: Date.parse('2026-12-01'),
          recorded_from: Date.parse('2026-10-01'),
          projects: [...projects].map(([id, [first]]): CaseProject => {
            return { id, account: 'main', created_at: first?.since ?? 0 };
          }),
          endpoints: [],
          metered: readMetered(section),
          use: use.flatMap(({ project, from, to, hours }) => spread(project, from, to, Number(hours))),
        },
      };
    });
}

/** Alike in each hour. */
function readMetered(section: string): readonly CaseAmount[] {
  const rows = section.matchAll(/^\| (\w+) +\| ([a-z]+_\w+) +\| (\S+) +\| (\S+) +\| (\d+) +\|$/gm);
  return [...rows].flatMap(([, project = '', metric = '', from = '', to = '', amount = '']) => {
    const [fromAt, untilAt] = [Date.parse(from), Date.parse(to)];
    return Array.from({ length: (untilAt - fromAt) / hourMs }, (_, hour) => ({
      project,
      metric: metric as CaseAmount['metric'],
      at: fromAt + hour * hourMs,
      amount: Number(amount),
    }));
  });
}

/** Evenly over whole hours. */
function spread(project: string, from: number, to: number, computeHours: number) {
  const count = (to - from) / hourMs;
  const whole = Math.round(computeHours * hourMs);
  return Array.from({ length: count }, (_, index) => {
    const cu_ms = Math.floor((whole * (index + 1)) / count) - Math.floor((whole * index) / count);
    return { project, at: from + index * hourMs, cu_ms };
  });
}
