import { parseArgs } from 'node:util';
import { anomalyQuality } from './anomaly-quality.ts';
import { budgetQuality } from './budget-quality.ts';
import { findingQuality } from './finding-quality.ts';
import { forecastQuality } from './forecast-quality.ts';
import { meteredAnomalyQuality } from './metered-anomaly-quality.ts';
import { type Measurement, renderTable, seedsFrom } from './quality-table.ts';
import { savingQuality } from './saving-quality.ts';
import { whyQuality } from './why-quality.ts';

const measurements: readonly Measurement[] = [
  forecastQuality,
  anomalyQuality,
  meteredAnomalyQuality,
  findingQuality,
  savingQuality,
  whyQuality,
  budgetQuality,
];

const { values: flags } = parseArgs({
  options: {
    seeds: { type: 'string', default: '100' },
    first: { type: 'string', default: '1' },
    only: { type: 'string', multiple: true },
  },
});
const seeds = seedsFrom(Number(flags.first), Number(flags.seeds));
const chosen = measurements.filter(({ name }) => flags.only?.includes(name) ?? true);
if (chosen.length === 0 || seeds.length === 0 || !seeds.every(Number.isSafeInteger)) {
  const names = measurements.map(({ name }) => `"${name}"`).join(', ');
  throw new Error(`--seeds and --first take whole numbers, --only takes one of ${names}`);
}
for (const { measure } of chosen) {
  for (const table of await measure(seeds)) process.stdout.write(`${renderTable(table)}\n`);
}
