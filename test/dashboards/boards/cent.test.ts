import { expect, test } from 'vitest';
import { describeWithPeers } from '../../support/peer.ts';
import { everything } from '../board-expression.ts';
import { askPromtool, type WrittenSeries } from '../promql-answer.ts';
import { committedBoards } from './committed-board.ts';

const cents = committedBoards.flatMap(({ board }) =>
  board.templating.list
    .filter(({ name }) => name === 'cent')
    .map(variable => ({ uid: board.uid, ...variable })),
);
const [, query = ''] = /^query_result\((.*)\)$/.exec(cents[0]?.query ?? '') ?? [];
const selected = query.replaceAll(/\$(\w+)/g, (_, name: string) => everything[name] ?? '');

function costsIn(...currencies: readonly string[]): readonly WrittenSeries[] {
  return currencies.map(currency => [
    `dbpm_account_period_cost{job="dbpm", instance="one", account="of ${currency}", currency="${currency}"}`,
    '1234.5678x60',
  ]);
}

test('the boards that show money know the least amount of its currency, without a choice', () => {
  expect(cents.map(({ uid, hide }) => [uid, hide])).toEqual([
    ['dbpm-fleet', 2],
    ['dbpm-project', 2],
    ['dbpm-usage-cost', 2],
  ]);
  expect(new Set(cents.map(cent => cent.query)).size).toBe(1);
});

test('it is taken from the answer as Grafana writes it', () => {
  const pattern = new RegExp(cents[0]?.regex?.slice(1, -1) ?? '');
  expect(pattern.exec('{} 0.01 1795478400000')?.[1]).toBe('0.01');
});

describeWithPeers(['promtool'], 'the least amount', ({ promtool }) => {
  test.each([
    [['EUR'], 0.01],
    [['JPY'], 1],
    [['KWD'], 0.001],
    [['JPY', 'USD'], 0.01],
    [[], 0.01],
  ])('of money in %j is %d', (currencies, value) => {
    expect(askPromtool(promtool, costsIn(...currencies), selected, value)).toBe('');
  });
});
