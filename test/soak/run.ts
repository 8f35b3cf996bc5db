import { parseArgs } from 'node:util';
import { soak } from './soak.ts';
import { describeSoak, listFaults } from './verdict.ts';

const { values } = parseArgs({
  options: {
    projects: { type: 'string', default: '1000' },
    days: { type: 'string', default: '30' },
    seed: { type: 'string', default: '1' },
  },
});
const result = await soak({
  projects: Number(values.projects),
  days: Number(values.days),
  seed: Number(values.seed),
  ...{ stepHours: 4, stepMs: 4000, requestsPerMinute: 12_000, idleRefreshSeconds: 30, heapMebibytes: 256 },
  onDay: line => process.stdout.write(`${line}\n`),
});
const faults = listFaults(result);
process.stdout.write(`${[describeSoak(result), ...faults].join('\n')}\n`);
if (faults.length > 0) process.exitCode = 1;
