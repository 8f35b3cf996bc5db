import fc from 'fast-check';
import { expect, test } from 'vitest';
import { countSeries, estimateSeries, weighSeries } from '../../../src/check/plan/series-estimate.ts';
import {
  typicalAccount,
  typicalKey,
  typicalProject,
  typicalUsage,
} from '../../../src/check/plan/typical-view.ts';
import type { AccountView } from '../../../src/resources/account.ts';
import { catalog } from '../../../src/resources/catalog.ts';
import { type Collector, collectors } from '../../../src/resources/collector.ts';
import {
  type FamilySelection,
  selectFamilies,
  seriesModes,
} from '../../../src/resources/family-selection.ts';
import { usageLinesOf } from '../../support/page-text.ts';
import { samplesOf } from '../../support/sample-line.ts';
import { sampleUse } from '../../support/sample-usage.ts';
import { sampleView } from '../../support/sample-view.ts';

const full: FamilySelection = { mode: 'full', exclude: [], collectors };

test('what things cost in series', () => {
  expect(weighSeries(full)).toEqual({
    account: 205,
    project: 50,
    endpoint: 19,
    apiKey: 6,
    accountPrices: 30,
    projectPrices: 1,
  });
  expect(weighSeries({ ...full, mode: 'compact' })).toEqual({
    account: 205,
    project: 17,
    endpoint: 8,
    apiKey: 6,
    accountPrices: 30,
    projectPrices: 0,
  });
  expect(weighSeries({ ...full, collectors: ['projects'] })).toEqual({
    account: 37,
    project: 8,
    endpoint: 0,
    apiKey: 0,
    accountPrices: 9,
    projectPrices: 1,
  });
});

test('the meter, branches and the lines of a bill cost series where they are read', () => {
  const more = (extra: readonly Collector[], mode: FamilySelection['mode']) => {
    const [plain, later] = [
      { ...full, mode },
      { ...full, mode, collectors: [...collectors, ...extra] },
    ].map(selection => weighSeries(selection));
    return [(later?.account ?? 0) - (plain?.account ?? 0), (later?.project ?? 0) - (plain?.project ?? 0)];
  };
  // Fifteen of the collector itself; eight amounts and until when; five of ledgers that agree.
  expect(more(['consumption'], 'full')).toEqual([15 + 9 + 5, 8]);
  expect(more(['consumption'], 'compact')).toEqual([15 + 9 + 5, 0]);
  expect(more(['branches'], 'full')).toEqual([15, 5]);
  expect(more(['branches'], 'compact')).toEqual([15, 5]);
  const plain = weighSeries(full);
  expect(weighSeries(full, true)).toEqual({ ...plain, accountPrices: 30 + 3, projectPrices: 1 + 3 });
});

test('a fleet costs what its parts do', () => {
  expect(estimateSeries({ projects: 10_000, endpointsPerProject: 1 }, full)).toBe(500_205);
  expect(estimateSeries({ accounts: 2, projects: 100, endpointsPerProject: 1.5, apiKeys: 3 }, full)).toBe(
    2 * 205 + 100 * 59.5 + 18,
  );
  expect(estimateSeries({ projects: 100, endpointsPerProject: 1, isPriced: true }, full)).toBe(
    205 + 30 + 100 * 51,
  );
});

test('samples are counted as they are rendered, a histogram by its parts', () => {
  expect(countSeries(catalog, sampleView, sampleUse)).toBe(
    samplesOf(sampleView).length + 7 + usageLinesOf({ accounts: [sampleUse], budgets: [] }, '').length,
  );
});

test('an estimate is what a typical fleet of that size has, whatever is selected', () => {
  const selection = fc.record({
    mode: fc.constantFrom(...seriesModes),
    exclude: fc.subarray(['dbpm_*_info', 'dbpm_endpoint_state*', 'dbpm_operations_total', 'dbpm_up']),
    collectors: fc.subarray<Collector>([...collectors]),
  });
  const size = fc.record({
    projects: fc.nat(4),
    endpointsPerProject: fc.integer({ min: 1, max: 3 }),
    apiKeys: fc.nat(3),
    isPriced: fc.boolean(),
  });
  fc.assert(
    fc.property(selection, size, (chosen, { projects, endpointsPerProject, apiKeys, isPriced }) => {
      const view: AccountView = {
        ...typicalAccount,
        collectors: typicalAccount.collectors.filter(({ collector }) =>
          chosen.collectors.includes(collector),
        ),
        projects: Array.from({ length: projects }, () => typicalProject(endpointsPerProject)),
        api_keys: Array.from({ length: apiKeys }, () => typicalKey),
      };
      expect(estimateSeries({ projects, endpointsPerProject, apiKeys, isPriced }, chosen)).toBe(
        countSeries(selectFamilies(catalog, chosen), view, typicalUsage({ projects, isPriced })),
      );
    }),
    { numRuns: 200 },
  );
});
