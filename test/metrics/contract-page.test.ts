import { expect, onTestFinished, test } from 'vitest';
import { UsageReader } from '../../src/history/usage/usage-history.ts';
import { UsageCalculator } from '../../src/report/usage-view/calculator.ts';
import { catalog } from '../../src/resources/catalog.ts';
import { viewOf } from '../support/history-folder.ts';
import { LivedHistory } from '../support/lived-history.ts';
import { publishPage } from '../support/page-text.ts';
import { usualUsage } from '../support/usage-options.ts';

// `vitest -u` renews it where a change is meant.
test('the page of a small fleet of the specification is, to the byte, the one that is committed', async () => {
  using life = new LivedHistory({ now: Date.UTC(2026, 10, 20) / 1000, seed: 7, projects: 2, historyDays: 1 });
  life.watch(7200, { listEverySeconds: 600, projectsEvery: 2 });
  const reader = new UsageReader(life.folder.file, ['main']);
  onTestFinished(() => reader.close());
  const usage = new UsageCalculator(
    {
      ...usualUsage,
      historyFile: life.folder.file,
      anomalyBytes: 1e9,
      anomalyBranches: 1,
      groupings: [{ name: 'team', groups: [{ name: 'all', match: { projects: ['*'] } }] }],
    },
    reader,
  );
  usage.analyze();
  const page = publishPage(catalog, [viewOf(life.history, life.now)], usage.calculate()?.view).text;
  await expect(page).toMatchFileSnapshot('contract-page.txt');
});
