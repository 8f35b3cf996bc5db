import { explainDifference } from '../../src/cost/difference/bill-difference.ts';
import { type Cause, type CauseKind, sortCauses } from '../../src/cost/difference/cause.ts';
import { lineValues } from '../../src/cost/difference/valued-use.ts';
import { type Amount, amountNumber, compareAmounts, subtractAmounts } from '../../src/cost/money/money.ts';
import { type CostLine, sumLines, sumLinesBy } from '../../src/cost/rating/cost-line.ts';
import { createCosting } from '../../src/cost/rating/costing.ts';
import { dayMs } from '../../src/resources/duration.ts';
import type { PriceBook } from '../../src/resources/price-book.ts';
import { createRandom } from '../../src/simulator/model/random.ts';
import { addsUp } from '../cost/difference/adding-up.ts';
import { bookOf, planWith, pricesOf } from '../cost/price-book-sample.ts';
import { type Measurement, renderPercent } from './quality-table.ts';
import { type LivedMonths, liveMonths, type PlantKind, plantKinds } from './why-fleet.ts';

/** What was said of a fleet with a planted cause. */
interface JudgedWhy {
  readonly kind: PlantKind;
  /** Money that the planted cause made, and the largest change without it: of a project, or by the days of the month. */
  readonly effect: number;
  readonly largestOther: number;
  readonly isExact: boolean;
  /** The place of the planted cause among the causes that were found, from 1; absent where it is not found. */
  readonly rank?: number;
  /** How far the instant that was found is from that of the change, in milliseconds; absent where none was. */
  readonly offMs?: number;
  readonly causes: readonly Cause[];
}

/** Other plants are tried for a fleet in which something else changed more. */
const tries = 6;

/** Undefined where nothing that could be planted makes more than the changes that are there without it. */
function judgeWhy(seed: number, kind: PlantKind): JudgedWhy | undefined {
  const twin = liveMonths(seed);
  const plain = bookFor(seed, twin);
  const largestOther = largestChange(bare(plain), twin);
  for (let salt = 0; salt < tries; salt += 1) {
    const months =
      kind === 'price'
        ? { ...twin, plant: {}, plantedAt: dayOf(twin.plantedAt) }
        : liveMonths(seed, kind, salt);
    if (months.plant === undefined) continue;
    const book = kind === 'price' ? bookFor(seed, twin, salt) : plain;
    const [withPlant, without] = [billsOf(bare(book), months), billsOf(bare(plain), twin)];
    const effect = amountNumber(
      subtractAmounts(sumLines(withPlant.after).amount, sumLines(without.after).amount),
    );
    if (Math.abs(effect) <= largestOther) continue;
    return { kind, effect, largestOther, ...judge(kind, book, months, billsOf(book, months)) };
  }
  return undefined;
}

function judge(kind: PlantKind, book: PriceBook, months: LivedMonths, bills: Bills) {
  const { difference, causes } = explainDifference({
    ...bills,
    periods: months,
    projects: months.ledger.projects,
    values: lineValues(book, createCosting({ book, ledger: months.ledger })),
    endpointsOf: months.endpointsOf,
  });
  const whole: Amount = subtractAmounts(sumLines(bills.after).amount, sumLines(bills.before).amount);
  const isExact = compareAmounts(difference, whole) === 0 && addsUp(whole, causes);
  // Those of projects in place of the projects, as a person asks for them.
  const ranked = sortCauses(causes.flatMap(each => (each.kind === 'project' ? each.children : [each])));
  const place = ranked.findIndex(
    cause => cause.kind === causeKindOf[kind] && cause.project?.project_id === months.plant?.projectId,
  );
  const sinceAt = ranked[place]?.sinceAt;
  return {
    isExact,
    causes: ranked,
    ...(place >= 0 && { rank: place + 1 }),
    ...(sinceAt !== undefined && { offMs: Math.abs(sinceAt - months.plantedAt) }),
  };
}

const causeKindOf: Readonly<Record<PlantKind, CauseKind>> = {
  price: 'price',
  'cron job': 'awake',
  resize: 'resize',
  'new project': 'new_project',
  setting: 'suspend_delay',
};

interface Bills {
  readonly before: readonly CostLine[];
  readonly after: readonly CostLine[];
}

function billsOf(book: PriceBook, { ledger, before, after }: LivedMonths): Bills {
  const costing = createCosting({ book, ledger });
  const lines = (period: LivedMonths['before']) => [
    ...costing.usageLines(period),
    ...costing.chargeLines(period, after.untilAt),
  ];
  return { before: lines(before), after: lines(after) };
}

/** Without what hides how much was used: included hours and the minimum. */
function bare(book: PriceBook): PriceBook {
  return {
    ...book,
    plans: book.plans.map(({ included: _included, minimum: _minimum, ...plan }) => plan),
  };
}

/** Prices change at midnight. */
function dayOf(at: number): number {
  return Math.floor(at / dayMs) * dayMs;
}

/**
 * The largest change between the two months, in money: of what a project costs by day, or by what days more or fewer make of
 * all.
 */
function largestChange(book: PriceBook, months: LivedMonths): number {
  const { before, after } = billsOf(book, months);
  const [old, now] = [before, after].map(lines => sumLinesBy(lines, ({ project }) => project?.project_ref));
  const ratio = (months.after.untilAt - months.after.fromAt) / (months.before.untilAt - months.before.fromAt);
  const changes = months.ledger.projects.map(({ project_ref }) => {
    const [one, other] = [old, now].map(sums =>
      amountNumber(sums?.get(project_ref)?.amount ?? sumLines([]).amount),
    );
    return Math.abs((other ?? 0) - (one ?? 0) * ratio);
  });
  const days = amountNumber(sumLines(before.filter(({ kind }) => kind === 'usage')).amount) * (ratio - 1);
  return Math.max(Math.abs(days), ...changes);
}

/** Prices of a seed. @param salt draws the price that holds from the day of the plant on; without it there is none. */
function bookFor(seed: number, { plantedAt }: LivedMonths, salt?: number): PriceBook {
  const random = createRandom(seed, 'why prices');
  const included = random.pick([undefined, undefined, '10', '50'] as const);
  const minimum = random.pick([undefined, '5', '19'] as const);
  const currency = random.pick(['USD', 'EUR'] as const);
  const price = random.pick(['0.16', '0.106', '0.222'] as const);
  const factor = createRandom(seed, 'why price', salt ?? 0).pick([0.7, 1.2, 1.35, 1.6] as const);
  const day = new Date(plantedAt).toISOString().slice(0, 'yyyy-mm-dd'.length);
  const prices =
    salt === undefined
      ? pricesOf({ price })
      : pricesOf({ price, until: day }, { price: (Number(price) * factor).toFixed(4), from: day });
  const plan = planWith({
    ...{ currency, prices },
    ...(included !== undefined && { included: { computeHours: included, per: 'account' } }),
    ...(minimum !== undefined && { minimum }),
  });
  return bookOf([plan], { exchangeRates: [{ currency: 'EUR', fromAt: 0, rate: '1.0837' }] });
}

/** Constants were chosen by looking at seeds below 1,000. */
const heldOut = (seed: number) => seed + 10_000;

/** Each fleet has one planted cause: kinds take turns. */
export function judgeFleets(seeds: readonly number[]): (JudgedWhy | undefined)[] {
  return seeds.map(seed => judgeWhy(seed, plantKinds[seed % plantKinds.length] ?? 'price'));
}

export const whyQuality: Measurement = {
  name: 'why',
  measure: seeds => {
    const judged = judgeFleets(seeds.map(heldOut)).flatMap(each => each ?? []);
    const rows = [...plantKinds, 'all'].map(kind => {
      const own = judged.filter(each => kind === 'all' || each.kind === kind);
      const count = (isMeant: (each: JudgedWhy) => boolean) => own.filter(isMeant).length;
      const dated = own.flatMap(({ offMs }) => offMs ?? []).sort((a, b) => a - b);
      const middle = dated[dated.length >> 1];
      return [
        kind,
        String(own.length),
        String(count(({ isExact }) => isExact)),
        renderPercent(count(({ rank }) => rank === 1) / own.length),
        renderPercent(count(({ rank = 9 }) => rank <= 3) / own.length),
        middle === undefined ? '' : `${(middle / 3_600_000).toFixed(1)} h`,
      ];
    });
    const heads = ['planted', 'fleets', 'adds up in', 'named first', 'among three', 'instant off by'];
    return [
      {
        title: `Causes planted into ${seeds.length} simulated fleets, of which ${seeds.length - judged.length} have one that changed more`,
        heads,
        rows,
      },
    ];
  },
};
