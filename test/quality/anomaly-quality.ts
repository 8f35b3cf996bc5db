import { checkAnomalies } from '../../src/cost/forecast/anomaly.ts';
import { medianOf } from '../../src/cost/forecast/robust-statistic.ts';
import { slotsOfHours, utcSlotOf } from '../../src/cost/forecast/week-slot.ts';
import { hourMs } from '../../src/resources/duration.ts';
import { createRandom } from '../../src/simulator/model/random.ts';
import { accountKinds } from './account-kind.ts';
import type { AccountRecord, Projects } from './account-record.ts';
import { type Measurement, renderPercent } from './quality-table.ts';

/** How many anomalies were told of projects in which there are none, and how many of those put into them were found. */
interface AnomalyCount {
  readonly projectHours: number;
  readonly alarms: number;
  readonly runaways: number;
  readonly found: number;
  /** Hours from the beginning of each runaway that was found until it was. */
  readonly hoursUntilFound: readonly number[];
}

const minimumSeconds = 3600;
const alarmGapHours = 24;
const hoursOfQuarter = 365.25 * 6;

export const anomalyQuality: Measurement = {
  name: 'anomaly',
  measure: seeds => [
    {
      title: `Anomalies of projects, ${seeds.length} seeds`,
      heads: [
        'accounts',
        'project-quarters',
        'false alarms of each',
        'runaways',
        'found',
        'hours until found',
      ],
      rows: accountKinds.map(({ name, createCalm }) => {
        const count = addUp(seeds.map(seed => countAnomalies(createCalm(seed), seed)));
        const quarters = count.projectHours / hoursOfQuarter;
        return [
          name,
          quarters.toFixed(0),
          (count.alarms / quarters).toFixed(2),
          String(count.runaways),
          renderPercent(count.found / count.runaways),
          String(medianOf(count.hoursUntilFound)),
        ];
      }),
    },
  ],
};

export function addUp(counts: readonly AnomalyCount[]): AnomalyCount {
  const sum = (numberOf: (count: AnomalyCount) => number) =>
    counts.reduce((total, count) => total + numberOf(count), 0);
  return {
    projectHours: sum(({ projectHours }) => projectHours),
    alarms: sum(({ alarms }) => alarms),
    runaways: sum(({ runaways }) => runaways),
    found: sum(({ found }) => found),
    hoursUntilFound: counts.flatMap(({ hoursUntilFound }) => hoursUntilFound),
  };
}

/** Looks at every hour of every project: what is told of the record as it is, is a false alarm. */
export function countAnomalies(record: AccountRecord, seed: number): AnomalyCount {
  const slots = slotsOfHours(record.firstHourAt, record.hourCount, utcSlotOf);
  const random = createRandom(seed, 'runaways');
  let projectHours = 0;
  let alarms = 0;
  let runaways = 0;
  const hoursUntilFound: number[] = [];
  for (const project of record.projects) {
    const { from, until } = livingHours(project, record);
    projectHours += Math.max(0, until - from);
    alarms += countAlarms(project.hours, slots, from, until);
    if (until - from < 21 * 24) continue;
    const beginsAt = random.integer(from + 15 * 24, until - 24);
    const length = random.pick([8, 12, 24]);
    const runaway = runAway(project.hours, beginsAt, length, random.pick([1, 2, 4]));
    runaways += 1;
    const hours = firstAlarm(runaway, slots, from, beginsAt);
    if (hours !== undefined) hoursUntilFound.push(hours);
  }
  return { projectHours, alarms, runaways, found: hoursUntilFound.length, hoursUntilFound };
}

function livingHours(
  { bornAt, goneAt }: Projects,
  { firstHourAt, hourCount }: AccountRecord,
): { readonly from: number; readonly until: number } {
  return {
    from: Math.max(0, Math.floor((bornAt - firstHourAt) / hourMs)),
    until: Math.min(hourCount, Math.floor((goneAt - firstHourAt) / hourMs)),
  };
}

/** Alarms within a day of each other are one. */
function countAlarms(hours: Float64Array, slots: Uint8Array, from: number, until: number): number {
  let alarms = 0;
  let lastAt = Number.NEGATIVE_INFINITY;
  for (let hour = from + 1; hour <= until; hour += 1) {
    if (!isAlarm(hours, slots, from, hour)) continue;
    if (hour - lastAt > alarmGapHours) alarms += 1;
    lastAt = hour;
  }
  return alarms;
}

function firstAlarm(
  hours: Float64Array,
  slots: Uint8Array,
  from: number,
  beginsAt: number,
): number | undefined {
  for (let passed = 1; passed <= alarmGapHours; passed += 1) {
    if (isAlarm(hours, slots, from, beginsAt + passed)) return passed;
  }
  return undefined;
}

function isAlarm(hours: Float64Array, slots: Uint8Array, from: number, until: number): boolean {
  return checkAnomalies({ amounts: hours, slots, from, until }, minimumSeconds).some(
    ({ isAnomaly }) => isAnomaly,
  );
}

/** Something that never ends its work keeps more compute units awake. */
function runAway(hours: Float64Array, from: number, count: number, computeUnits: number): Float64Array {
  return hours.map((used, hour) => (hour >= from && hour < from + count ? used + computeUnits * 3600 : used));
}
