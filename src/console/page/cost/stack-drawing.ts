import { decimalsOf } from '../../../cost/money/decimal-sum.ts';
import { dayMs } from '../../../resources/duration.ts';
import { dateOf } from '../../../resources/utc-date.ts';
import type { WrittenStep } from '../../answer-field.ts';
import { sumDecimals } from '../../answer-value.ts';
import { addressOf, pathOf } from '../../part/address.ts';
import { card } from '../../part/card.ts';
import { drawChart } from '../../part/chart/chart.ts';
import type { Annotation, BarSeries, Limit, Tone } from '../../part/chart/declaration.ts';
import { rowBar } from '../../part/chart/spark.ts';
import { chartSteps, joinSteps, shortDay } from '../../part/chart/step.ts';
import { html, type Markup } from '../../part/html.ts';
import { sayPrice } from '../../part/number.ts';
import { shownName } from '../../part/shown-text.ts';
import { paceOf } from './budget-drawing.ts';
import type { CostAnswer, CostSeries, CostStack } from './cost-answer.ts';
import { type Expected, isLastRunning, type Measure, saySince } from './cost-figure.ts';

interface StackContext {
  readonly measure: Measure;
  readonly expected: Expected | undefined;
  /** The account that the page is of; empty for all. */
  readonly account: string;
}

/** Cost by step as bars, with the days that are expected and the pace of the budget. */
export function drawStack(answer: CostAnswer, stack: CostStack, context: StackContext): Markup {
  const { step, series, steps } = stack;
  const { measure, account } = context;
  if (series.length === 0)
    return html`<p class="m">${measure.of(stack) === null ? 'What was used in this period is not known.' : 'Nothing was used in this period, as far as is known.'}</p>`;
  const knownUntilAt = Date.parse(stack.period.until);
  const rest = context.expected === undefined ? undefined : spreadRest(stack, context.expected, measure);
  const all = rest === undefined ? steps : joinSteps(stack.steps, stack.steps_to_come);
  const since = saySince(stack);
  const pace = step === 'day' ? paceOf(answer.budgets, stack, measure) : undefined;
  const limits: readonly Limit[] = [
    ...(pace === undefined
      ? []
      : [{ name: `budget, ${measure.show(pace.amount)} a day`, value: pace.amount }]),
    ...(rest === undefined || step !== 'day'
      ? []
      : [
          {
            name: `expected, ${measure.show(rest.perStep)} a day`,
            value: rest.perStep,
            expectedFromAt: knownUntilAt,
          },
        ]),
  ];
  return drawChart({
    id: 'cost-by-step',
    label: describe(stack, measure),
    steps: chartSteps(all, step, isLastRunning(stack) ? knownUntilAt : Number.POSITIVE_INFINITY, each =>
      addressOf('/cost', { period: periodOf(each, step), by: 'project', account }),
    ).map((each, index) => (since !== undefined && index === 0 ? { ...each, since } : each)),
    series: [
      ...stackOf(stack, measure, account),
      ...(rest === undefined
        ? []
        : [{ kind: 'bars', name: 'expected', isExpected: true, values: rest.values } as const]),
    ],
    limits,
    annotations: annotate(stack),
    totals: all.map((_, index) => (steps[index] === undefined ? null : measure.of(steps[index]))),
    show: measure.show,
    showTick: measure.showTick,
    stepNoun: step,
  });
}

/** What is expected beside what is known, spread evenly over the time that is left. */
function spreadRest(stack: CostStack, { amount, untilAt }: Expected, measure: Measure) {
  const knownUntilAt = Date.parse(stack.period.until);
  const left = Math.max(0, Number(amount) - Number(measure.of(stack) ?? 0));
  const perMs = left / Math.max(1, untilAt - knownUntilAt);
  const write = (ms: number) => (perMs * ms).toFixed(decimalsOf(amount));
  const values = joinSteps(stack.steps, stack.steps_to_come).map(({ from, until }) => {
    const ms = Date.parse(until) - Math.max(Date.parse(from), knownUntilAt);
    return ms <= 0 ? null : write(ms);
  });
  return { values, perStep: write(dayMs) };
}

/** The word for the period of a step alone. */
function periodOf({ label }: WrittenStep, step: CostStack['step']): string {
  if (step !== 'week') return label;
  return `${label}..${dateOf(Date.parse(label) + 7 * dayMs)}`;
}

function annotate({ price_changes }: CostStack): readonly Annotation[] {
  return price_changes.map(({ at, plan, currency, price, before, discounted, discounted_before }) => ({
    at: Date.parse(at),
    words: `${shortDay(at)}, ${shownName(plan)}: an hour costs ${sayPrice(discounted, price, currency)}, before ${sayPrice(discounted_before, before, currency)}`,
  }));
}

/** Series with a colour of their own; what has no group, charges and all others are grey. */
const mostTones = 7;

/** The series that have colours; the same names have the same colours, whatever they cost. */
export function tonesOf({ series }: CostStack, measure: Measure): ReadonlyMap<CostSeries, Tone> {
  const coloured = series
    .filter(each => each.kind === 'scope' && each.name !== 'ungrouped' && Number(measure.of(each) ?? 0) !== 0)
    .slice(0, mostTones)
    .toSorted((a, b) => (a.name < b.name ? -1 : 1));
  return new Map(coloured.map((each, index) => [each, (index + 1) as Tone]));
}

/** The dearest have a layer each, and all others one. */
function stackOf(stack: CostStack, measure: Measure, account: string): readonly BarSeries[] {
  const tones = tonesOf(stack, measure);
  const used = stack.series.filter(each => Number(measure.of(each) ?? 0) !== 0);
  const grey = used.filter(each => !tones.has(each) && (each.kind === 'charge' || each.name === 'ungrouped'));
  const rest = used.filter(each => !tones.has(each) && !grey.includes(each));
  const layer = (each: CostSeries, tone: Tone): BarSeries => {
    const href = placeOf(each, stack, account);
    const name = shownName(each.name);
    return { kind: 'bars', name, tone, values: measure.stepsOf(each), ...(href !== undefined && { href }) };
  };
  const others = stack.steps.map((_, step) =>
    sumDecimals(rest.map(each => measure.stepsOf(each)[step] ?? null)),
  );
  return [
    ...(rest.length > 0 ? [{ kind: 'bars', name: 'all others', tone: 0, values: others } as const] : []),
    ...grey.map(each => layer(each, 0)),
    ...[...tones].map(([each, tone]) => layer(each, tone)),
  ];
}

/** The page about what a series is of. */
export function placeOf(
  { name, kind, account, project_id }: CostSeries,
  { by, grouping }: CostStack,
  chosenAccount: string,
): string | undefined {
  if (by === 'group' && kind === 'scope')
    return addressOf('/projects', { group: `${grouping}/${name}`, account: chosenAccount, gone: 'all' });
  return account === null || project_id === null ? undefined : pathOf('projects', account, project_id);
}

/** The dearest projects of all groups. */
export function drawProjects(stack: CostStack, measure: Measure, account: string): Markup | null {
  const { projects } = stack;
  if (projects.length === 0) return null;
  const amountOf = (each: CostStack['projects'][number]) => measure.of(each) ?? '0';
  const most = Number(amountOf(projects[0] as (typeof projects)[number])) || 1;
  const all = addressOf('/cost', { period: stack.period.label, by: 'project', account });
  return card(
    measure.isMoney ? 'Costliest projects' : 'Projects that used most',
    html`<ul class="rows wide-bar">${projects.map(each => html`<li><span class="t"><b><a href=${pathOf('projects', each.account, each.project_id)}>${shownName(each.project_name ?? each.project_id)}</a></b></span>${rowBar(Number(amountOf(each)) / most)}<span class="r">${measure.show(amountOf(each))}</span></li>`)}</ul>`,
    { isFolded: true, end: html`<a class="a" href=${all}>all</a>` },
  );
}

/** The chart in words. */
function describe(stack: CostStack, measure: Measure): string {
  const { steps, step, by, period } = stack;
  const say = (decimal: string | null) => (decimal === null ? 'not known' : measure.show(decimal));
  const dearest = steps.toSorted((a, b) => Number(measure.of(b) ?? 0) - Number(measure.of(a) ?? 0))[0];
  const most =
    dearest === undefined || measure.of(dearest) === null
      ? ''
      : ` Most in the ${step} ${dearest.label}: ${say(measure.of(dearest))}.`;
  return `${measure.isMoney ? 'Cost' : 'Compute hours'} by ${step} and ${by} in ${period.label}: ${say(measure.of(stack))} in all.${most}`;
}
