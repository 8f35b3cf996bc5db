import { readTimedSamples } from '../support/backfill-export.ts';
import { readExposition, type Sample, sampleValue } from '../support/exposition-reader.ts';
import { type RecordedDemo, recordedAt } from './recorded-demo.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
/** How far back states are shown, and how far apart they are taken. */
const stateSpanMs = 2 * dayMs;
const stepMs = 300_000;

/** Seconds each endpoint spent in each state, between one instant and the next. */
export interface StateSlot {
  /** Epoch milliseconds. */
  readonly untilAt: number;
  /** By `endpoint_id state`. */
  readonly seconds: ReadonlyMap<string, number>;
}

/** Cost of each group from the beginning of the billing period until an instant. */
export interface CostPoint {
  /** Epoch milliseconds. */
  readonly at: number;
  readonly costs: ReadonlyMap<string, number>;
}

/** Everything the picture shows, as the page and the commands of the demo say it. */
export interface PictureData {
  /** Epoch milliseconds, as every instant here. */
  readonly at: number;
  readonly samples: readonly Sample[];
  readonly slots: readonly StateSlot[];
  readonly costs: readonly CostPoint[];
  readonly stepMs: number;
}

/** Reads what is drawn from a recorded demo. */
export async function readPictureData(demo: RecordedDemo): Promise<PictureData> {
  const samples = readExposition(demo.page);
  const periodFromAt =
    1000 * (sampleValue(samples, 'dbpm_account_period_start_timestamp_seconds') ?? Number.NaN);
  return {
    ...{ at: recordedAt, samples, stepMs },
    slots: await readSlots(demo),
    costs: await readCosts(demo, periodFromAt),
  };
}

async function readSlots(demo: RecordedDemo): Promise<readonly StateSlot[]> {
  const from = new Date(recordedAt - stateSpanMs).toISOString();
  const text = await demo.export(`--from ${from} --step 5m --metric dbpm_endpoint_state_seconds_total`);
  const slots = new Map<number, Map<string, number>>();
  const before = new Map<string, number>();
  const samples = readTimedSamples(text).filter(({ name }) => name.endsWith('_total'));
  for (const { labels, value, at } of samples) {
    const [, endpoint_id, state] = /endpoint_id="([^"]*)",state="([^"]*)"/.exec(labels) ?? [];
    const series = `${endpoint_id} ${state}`;
    const slot = slots.get(at) ?? new Map<string, number>();
    const first = before.get(series);
    if (first !== undefined) slots.set(at, slot.set(series, value - first));
    before.set(series, value);
  }
  return [...slots.keys()]
    .sort((a, b) => a - b)
    .map(untilAt => ({ untilAt, seconds: slots.get(untilAt) ?? new Map() }));
}

interface CostReport {
  readonly rows: readonly { readonly group: string; readonly cost: string }[];
}

/** The cost until each midnight of the billing period, and until now as the page says it. */
async function readCosts(demo: RecordedDemo, fromAt: number): Promise<readonly CostPoint[]> {
  const date = (at: number) => new Date(at).toISOString().slice(0, 10);
  const costs: CostPoint[] = [{ at: fromAt, costs: new Map() }];
  for (let at = fromAt + dayMs; at < recordedAt; at += dayMs) {
    const line = `cost --by group --grouping team --format json --period ${date(fromAt)}..${date(at)}`;
    const { rows }: CostReport = JSON.parse(await demo.report(line));
    costs.push({ at, costs: new Map(rows.map(({ group, cost }) => [group, Number(cost)])) });
  }
  const now = readExposition(demo.page)
    .filter(({ name, labels }) => name === 'dbpm_group_period_cost' && labels.grouping === 'team')
    .map(({ labels, value }) => [labels.group ?? '', value] as const);
  return [...costs, { at: recordedAt, costs: new Map(now) }];
}
