import { lastDayOf } from '../../../report/format/period-name.ts';
import { addressOf } from '../../part/address.ts';
import { bullet, spark } from '../../part/chart/spark.ts';
import { shortDay } from '../../part/chart/step.ts';
import { countOf } from '../../part/count-word.ts';
import { sayEndpointState } from '../../part/endpoint-state.ts';
import { type Content, html, type Markup } from '../../part/html.ts';
import { clock } from '../../part/instant.ts';
import { showHours, showMoney, showNumber, showShare } from '../../part/number.ts';
import { expectedTile, markStale, savingTile, type Tile, tileStrip, weakCents } from '../../part/tile.ts';
import type { OverviewAnswer, Spending } from './overview-answer.ts';
import { isUnread, type OverviewContext } from './overview-state.ts';

/** What was spent, what it comes to, what can be saved, and what runs. */
export function drawTiles(answer: OverviewAnswer, { now, staleAt, staleAccounts }: OverviewContext): Markup {
  const { spending } = answer;
  const [spent, expected, saved] = [
    describeSpent(spending),
    describeExpected(answer),
    describeSaving(answer),
  ] as const;
  if (staleAt === null)
    return tileStrip(markStale([spent, expected, saved, describeAwake(answer)], staleAccounts, now));
  const mark = html`<span class="pill warn">as of ${clock(staleAt, now)}</span>`;
  const old = [spent, expected, saved].map(({ title, figure, detail }) => ({
    ...{ title, figure, detail },
    mark,
  }));
  return tileStrip([...old, describeUnseen(answer, clock(staleAt, now))]);
}

/** How many are awake now is not known where nothing was read since. */
function describeUnseen({ running }: OverviewAnswer, at: Markup): Tile {
  const awake = showNumber(awakeOf(running.states));
  return {
    ...{ title: 'Awake now', mark: html`<span class="d crit">no reading</span>`, figure: 'not known' },
    detail: html`${awake} of ${countOf(running.endpoints, 'endpoint')} at ${at}`,
  };
}

const unknown = html`<span class="m">not known yet</span>`;

function describeSpent(spending: Spending | null): Tile {
  if (spending === null) return { title: 'Spent so far', figure: unknown };
  const { currency, cost, compute_hours, by_day } = spending;
  const drawing = spark({
    label: currency === null ? 'Compute hours of each day' : 'Cost of each day',
    values: by_day.map(each => Number((currency === null ? each.compute_hours : each.cost) ?? 0)),
    look: 'bars',
    isRunning: true,
  });
  const hours = compute_hours ?? '0';
  const amount = currency === null ? hours : cost;
  return {
    title: currency === null ? 'Used so far' : 'Spent so far',
    ...{ mark: sayShareMoved(spending), drawing },
    figure: amount === null ? 'unpriced' : weakCents(amount, currency),
    detail: sayMoved(spending) ?? `${currency === null ? '' : 'for '}${showHours(hours)} compute hours`,
  };
}

/** How far it moved; more is not worse. */
function sayShareMoved({ before }: Spending): Content {
  const was = Number(before?.cost ?? before?.used_hours ?? 0);
  if (before === null || before.gaps.length > 0 || was <= 0) return null;
  const difference = Number(before.difference);
  const share = showShare(Math.abs(difference) / was);
  return html`<span class="d">${difference < 0 ? '▼' : '▲'} ${share}</span>`;
}

function sayMoved({ before, currency }: Spending): Content {
  if (before === null) return undefined;
  const { difference, cost, used_hours, gaps } = before;
  if (gaps.length > 0 && Number(cost ?? used_hours) === 0) return 'The period before is not known.';
  const isLess = difference.startsWith('-');
  const amount = showMoney(difference.replace(/^-/, ''), currency);
  const words = `${amount} ${isLess ? 'less' : 'more'}`;
  return html`<a href=${addressOf('/cost/why', { period: 'billing' })}>${words}</a> than in the same days before`;
}

function describeExpected({ spending, pending, rests_on }: OverviewAnswer): Tile {
  const title = spending === null ? 'Expected' : `Expected by ${shortDay(lastDayOf(spending.period.until))}`;
  const { expected = null, currency = null, cost, accounts = [], budget = null } = spending ?? {};
  if (rests_on?.is_whole === false) return { title, figure: unknown };
  if (spending !== null && currency === null) return describeExpectedHours(title, spending);
  if (expected === null || currency === null) {
    const isPending = pending.includes('forecast');
    return isPending
      ? { title, figure: unknown, detail: 'This is being worked out.' }
      : { title, figure: html`<span class="m">not known</span>`, detail: 'Too little is known.' };
  }
  const [only] = accounts.length === 1 ? accounts : [];
  return expectedTile({
    ...{ until: spending?.period.until ?? '', spent: cost ?? '0', expected, currency },
    ...{ limit: budget?.limit, bounds: only?.forecast ?? null, accounts: accounts.length },
  });
}

/** Without prices, the hours that the period comes to. */
function describeExpectedHours(title: string, spending: Spending): Tile {
  const { compute_hours, expected_hours, period, accounts } = spending;
  const detail = html`<a href="/prices">Set a price</a> to see it in money`;
  if (expected_hours === null) return { title, figure: html`<span class="m">not known</span>`, detail };
  const hours = {
    until: period.until,
    spent: compute_hours ?? '0',
    expected: expected_hours,
    currency: null,
  };
  return { ...expectedTile({ ...hours, bounds: null, accounts: accounts.length }), detail };
}

function describeSaving({ saving, rests_on }: OverviewAnswer): Tile {
  const title = 'Likely saving';
  if (saving === null)
    return {
      title,
      figure: unknown,
      detail: rests_on?.is_whole === false ? undefined : 'Findings are being looked for.',
    };
  const { findings, currency } = saving;
  if (findings === 0) return { title, figure: 'None', detail: 'Nothing was found that can be saved.' };
  return savingTile(saving, currency, html`<a href="/findings">${countOf(findings, 'finding')}</a>`);
}

function describeAwake(answer: OverviewAnswer): Tile {
  const { endpoints, states } = answer.running;
  const title = 'Awake now';
  if (endpoints === 0 && isUnread(answer)) return { title, figure: unknown };
  if (endpoints === 0) return { title, figure: html`<span class="m">no endpoints</span>` };
  const awake = awakeOf(states);
  const others = new Map<string, number>();
  for (const each of states)
    if (each.state !== 'active') {
      const word = sayEndpointState(each.state);
      others.set(word, (others.get(word) ?? 0) + each.endpoints);
    }
  return {
    title,
    figure: html`${showNumber(awake)} <small>of ${countOf(endpoints, 'endpoint')}</small>`,
    drawing: bullet({
      label: `${awake} of ${endpoints} endpoints are awake`,
      value: awake,
      expected: 0,
      high: endpoints,
    }),
    detail: answer.rests_on?.accounts.some(({ state }) => state === 'importing')
      ? 'in the projects that were read so far'
      : [...others].map(([state, count]) => `${showNumber(count)} ${state}`).join(', '),
  };
}

/** Endpoints that are active, of all accounts. */
export function awakeOf(states: OverviewAnswer['running']['states']): number {
  return states.reduce((sum, { state, endpoints }) => (state === 'active' ? sum + endpoints : sum), 0);
}
