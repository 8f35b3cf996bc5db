import { accountFindingFamilies } from '../../src/resources/usage/finding.ts';
import { labelList, select } from '../promql.ts';
import { account, defineAlert } from './alert.ts';
import { shardRules } from './shard-rule.ts';

const { costPerMonth } = accountFindingFamilies;

const inEuro = { ...account, currency: 'EUR' } as const;
const costOf = (finding: string) => select(costPerMonth, { ...inEuro, finding });

/** Whether enough could be saved to be worth a person's time. */
export const findingAlerts = [
  defineAlert({
    name: 'DbpmFindingsCostly',
    severity: 'info',
    for: '1h',
    keepFiringFor: '6h',
    thresholds: {
      amount: {
        kind: 'number',
        default: '100',
        help: 'money a month, in the display currency, that is likely saved and worth an alert',
      },
    },
    board: 'dbpm-usage-cost',
    page: '/findings',
    summary: 'Much money could likely be saved.',
    headline:
      'Account {{ $labels.account }} could likely do the same for {{ $value | printf "%.2f" }} {{ $labels.currency }} a month less.',
    description:
      'Endpoints of account {{ $labels.account }} use compute they might not need, or projects keep branches that are not used: following the findings would likely save {{ $value | printf "%.2f" }} {{ $labels.currency }} a month. Run "dbpm-exporter report findings" where it runs: it says what was seen, what to change, and what that saves at most.',
    expression: (scope, { amount }) =>
      `sum ${labelList('without', costPerMonth, 'finding')} (${scope.select(shardRules.findingsCost)}) > ${amount}`,
    examples: {
      fires: {
        // Neither is worth it alone; after an hour and a half one of them is mended.
        series: {
          [costOf('never_suspends')]: '60x100 0x500',
          [costOf('idle_tail')]: '0x9 45x600',
        },
        quietAt: '69m',
        firesAt: '70m',
        resolvedAt: '461m',
        labels: inEuro,
        value: '105.00',
      },
      quiet: {
        series: { [costOf('never_suspends')]: '60x100', [costOf('idle_tail')]: '40x100' },
        at: '100m',
      },
    },
  }),
];
