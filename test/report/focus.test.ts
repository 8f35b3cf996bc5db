import { expect, test } from 'vitest';
import { readCsv } from '../support/csv-reader.ts';
import { findFocusFaults } from '../support/focus-validator.ts';
import { SmallHistory } from './small-history.ts';

test('FOCUS output keeps the rules of the specification, has a row for each charge, and groups as tags', async () => {
  using small = new SmallHistory();
  const { exitCode, stdout, stderr } = await small.report('cost --period 2026-10 --format focus');
  const { header, rows } = readCsv(stdout);
  expect(findFocusFaults(header, rows)).toEqual([]);
  const shown = rows.map(row =>
    [
      row.ChargeCategory,
      row.ResourceId,
      row.BilledCost,
      row.BillingCurrency,
      row.ConsumedQuantity,
      row.Tags,
    ].join(' '),
  );
  expect(shown).toEqual([
    'Usage p-shop 0.96000000000000 EUR 10.000000000000 {"team":"web"}',
    'Usage p-shop 4.50000000000000 EUR 30.000000000000 {"team":"web"}',
    'Usage p-dw 0.5500000000000 USD 5.500000000000 {"team":"data"}',
    'Purchase  13.540000000000 EUR  ',
  ]);
  expect(rows[1]).toMatchObject({
    BillingPeriodStart: '2026-10-01T00:00:00Z',
    BillingPeriodEnd: '2026-11-01T00:00:00Z',
    ChargePeriodStart: '2026-10-15T00:00:00Z',
    ChargePeriodEnd: '2026-11-01T00:00:00Z',
    PricingQuantity: '30.000000000000',
    ContractedUnitPrice: '0.15',
  });
  expect(exitCode).toBe(3);
  expect(stderr).toContain('partial: 2.00 compute hours are unpriced: ');
});

test('FOCUS tells the price of each row apart by its date, and is of one version alone', async () => {
  using small = new SmallHistory();
  const { stdout } = await small.report('cost --period 2026-10 --format focus');
  const { header, rows } = readCsv(stdout);
  expect(header).toHaveLength(58);
  expect(rows.map(row => row.x_ComputeLedger === 'reported')).toEqual(
    rows.map(({ SkuMeter }) => SkuMeter === 'Compute Usage'),
  );
  expect(rows.map(row => [row.SkuPriceId, row.SkuMeter, row.PricingCurrency].join(' '))).toEqual([
    'compute/scale/2026-01-01 Compute Usage EUR',
    'compute/scale/2026-10-15 Compute Usage EUR',
    'compute/azure/2026-01-01 Compute Usage USD',
    'minimum/scale Minimum Charge EUR',
  ]);
  const named = await small.report('cost --period 2026-10 --format focus --focus-version 1.2');
  expect(named.stdout).toBe(stdout);
  const older = await small.report('cost --period 2026-10 --format focus --focus-version 1.0');
  expect([older.exitCode, older.stdout]).toEqual([2, '']);
  expect(older.stderr).toContain('--focus-version: found "1.0", write 1.2');
});

test('FOCUS by day has a row for each project and day, which add up to the rows of the whole', async () => {
  using small = new SmallHistory();
  const read = async (step: string) =>
    readCsv((await small.report(`cost --period 2026-10 --format focus${step}`)).stdout);
  const { header, rows } = await read(' --step day');
  expect(findFocusFaults(header, rows)).toEqual([]);
  const used = rows.filter(row => row.ChargeCategory === 'Usage');
  expect(used.map(row => [row.ChargePeriodStart, row.ResourceId, row.ConsumedQuantity].join(' '))).toEqual([
    '2026-10-05T00:00:00Z p-shop 10.000000000000',
    '2026-10-12T00:00:00Z p-dw 5.500000000000',
    '2026-10-20T00:00:00Z p-shop 30.000000000000',
  ]);
  const sum = (all: typeof rows) => all.reduce((total, row) => total + Number(row.BilledCost), 0);
  expect(sum(rows)).toBeCloseTo(sum((await read('')).rows), 12);
});

// A third of a second of a compute hour has no last decimal, nor has 0.1375 of it.
test('a unit price times its quantity is the cost of FOCUS output to the last decimal', async () => {
  using small = new SmallHistory();
  small.write(
    'dbpm.yaml',
    'pricing: {currency: EUR, plans: [{name: all, prices: [{from: 2026-01-01, per_compute_hour: 0.1375, discount_percent: 7}]}]}',
  );
  const period = '2026-10-05T00:00:01Z..2026-10-20T00:00:01Z';
  const { stdout } = await small.report(`cost --period ${period} --format focus`);
  const { header, rows } = readCsv(stdout);
  expect(findFocusFaults(header, rows)).toEqual([]);
  expect(rows.map(row => [row.PricingQuantity, row.ListCost, row.ContractedCost])[0]).toEqual([
    '10.000277777778',
    '1.3750381944444750',
    '1.278785520833361750',
  ]);
});

test('the validator finds what breaks the specification', async () => {
  using small = new SmallHistory();
  const { stdout } = await small.report('cost --period 2026-10 --format focus');
  const { header, rows } = readCsv(stdout);
  const faultsOf = (change: Readonly<Record<string, string>>) =>
    findFocusFaults(header, [{ ...rows[0], ...change }]);
  expect(faultsOf({ BilledCost: '' })).toEqual(['row 1: BilledCost is null']);
  expect(faultsOf({ BilledCost: '1,0' })).toEqual(['row 1: BilledCost is 1,0']);
  expect(faultsOf({ ChargeCategory: 'Use' })[0]).toBe('row 1: ChargeCategory is Use');
  expect(faultsOf({ PricingUnit: 'hours' })).toEqual(['row 1: a unit is not in the format of units']);
  expect(faultsOf({ Tags: '{"team":["web"]}' })).toEqual(['row 1: Tags are not keys and plain values']);
  expect(faultsOf({ EffectiveCost: '0' })).toEqual([
    'row 1: EffectiveCost is not BilledCost, and there is nothing to amortize',
  ]);
  expect(faultsOf({ ListCost: '3' })).toEqual(['row 1: ListCost is not price times quantity']);
  expect(faultsOf({ ChargePeriodEnd: '2026-12-01T00:00:00Z' })).toEqual([
    'row 1: the charge is of after its billing period',
  ]);
  expect(faultsOf({ ChargePeriodEnd: '2026-10-15' })).toEqual(['row 1: ChargePeriodEnd is 2026-10-15']);
  expect(
    findFocusFaults(
      header.filter(name => name !== 'BilledCost'),
      [],
    ),
  ).toEqual(['column BilledCost is missing']);
  expect(findFocusFaults([...header, 'Price'], [])).toEqual(['column Price is not of the specification']);
});
