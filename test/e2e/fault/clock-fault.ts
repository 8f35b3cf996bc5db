import { setTimeout as pause } from 'node:timers/promises';
import type { MachineFault, MachineStage } from './machine-fault.ts';

const minuteMs = 60_000;
const dayMs = 1440 * minuteMs;
/** Schedules of tests have a list read every second. */
const fewestPolls = 5;

/** Has lists read at the pace of the schedule, whatever the clock says. */
async function expectPolls({ scrape }: MachineStage): Promise<void> {
  const before = await countListPolls(scrape);
  await pause(7000);
  const polls = (await countListPolls(scrape)) - before;
  if (polls < fewestPolls) throw new Error(`the list was read ${polls} times in seven seconds`);
}

async function countListPolls(scrape: MachineStage['scrape']): Promise<number> {
  return (await scrape())
    .filter(({ name, labels }) => name === 'dbpm_exporter_api_requests_total' && labels.route === '/projects')
    .reduce((sum, { value }) => sum + value, 0);
}

function stepping(fault: string, aheadMs: number, alerts: readonly string[] = []): MachineFault {
  return {
    fault,
    async inflict(stage) {
      stage.clock.step(aheadMs);
      await expectPolls(stage);
    },
    heal: ({ clock }) => clock.step(1),
    signs: [],
    alerts,
  };
}

/** Has the zone of the host change between standard and summer time while the daemon runs. */
function changing(fault: string, changeAt: number): MachineFault {
  return {
    fault,
    async inflict(stage) {
      await (await stage.running()).stop('SIGTERM');
      await stage.start({ TZ: 'Europe/Berlin' });
      await stage.until([]);
      stage.clock.step(changeAt - 3000 - Date.now());
      await expectPolls(stage);
    },
    heal: ({ clock }) => clock.step(1),
    signs: [],
    alerts: [],
    restarts: true,
  };
}

/** What happens to the clock of the host. */
export const clockFaults: readonly MachineFault[] = [
  // Prometheus goes by another clock.
  stepping("the host's clock steps a day back", -dayMs, ['DbpmDataStale']),
  stepping("the host's clock steps a day forward", dayMs),
  stepping("the host's clock steps three years forward", 1096 * dayMs),
  changing('summer time begins where the daemon runs', Date.parse('2027-03-28T01:00:00Z')),
  changing('summer time ends where the daemon runs', Date.parse('2027-10-31T01:00:00Z')),
];
