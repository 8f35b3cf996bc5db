import { describe, expect, it } from 'vitest';
import { isLong, testSeeds } from '../support/seed.ts';
import { KilledDaemon } from '../world/killed-daemon.ts';
import { pricesOfTruth, runAgainstTruth } from '../world/truth-run.ts';
import { onStage, simulatedMinute } from './stage.ts';

const env = {
  DBPM_COLLECT_SCHEDULE: '0 * * * * *',
  DBPM_COLLECT_API_KEYS_REFRESH: '2m',
  DBPM_USAGE_REFRESH: '1m',
};

const fewestKills = isLong ? 100 : 25;

/** A later version begins anew with each month, and what is used just before is not told. */
const midMonth = Date.UTC(2026, 9, 10);

const services = [
  { title: 'the contract', api: 'contract', consumption: 'off' },
  ...(isLong ? [{ title: 'a later version', api: 'later', consumption: 'off' } as const] : []),
  { title: 'a later version with its meter', api: 'later', consumption: 'auto' },
] as const;

describe.each(services)('beside a service of $title', ({ api, consumption }) => {
  it.each(testSeeds(isLong ? 4 : 1))(
    `all counters equal the truth and none ever fell, over ${fewestKills} kills and whatever goes wrong (TEST_SEED=%i)`,
    async seed => {
      const service = { projects: 10, historyDays: 2, api };
      await onStage({ seed, startAt: midMonth, service }, async ({ service: world, random, startDaemon }) => {
        const deaths = random('deaths');
        const daemon = new KilledDaemon(
          () => {
            const started = startDaemon({
              env: { ...env, DBPM_COLLECT_CONSUMPTION: consumption },
              file: pricesOfTruth,
            });
            // Three in ten die in the midst of a transaction.
            if (deaths.chance(0.3)) started.dieBeforeStatement(Math.round(20_000 * deaths.fraction() ** 4));
            return started;
          },
          of => ({
            servesFirst: of.chance(0.7),
            lifeMs: Math.round(30 * simulatedMinute * of.fraction() ** 4),
          }),
          random('kills'),
        );
        const { last } = await runAgainstTruth({
          world,
          daemon,
          random: random('changes and faults'),
          fewestKills,
          isMetered: consumption === 'auto',
          countListPolls: () => world.listPolls,
          times: {
            betweenScrapes: simulatedMinute,
            longestBetweenChanges: 5 * simulatedMinute,
            longestUntilTrue: 240 * simulatedMinute,
          },
        });
        await last.stop();
        expect(last.lines.at(-1)).not.toContain('level=error');
      });
    },
  );
});
