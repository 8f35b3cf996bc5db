import { expect, test } from 'vitest';
import { readCsv } from '../../support/csv-reader.ts';
import { findFocusFaults } from '../../support/focus-validator.ts';
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
    'Usage p-shop 0.960000000000 EUR 10.000000000000 {"team":"web"}',
    'Usage p-shop 4.500000000000 EUR 30.000000000000 {"team":"web"}',
    'Usage p-dw 0.550000000000 USD 5.500000000000 {"team":"data"}',
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

test('the validator finds what breaks the specification', async () => {
  using small = new SmallHistory();
  const { stdout } = await small.report('cost --period 2026-10 --format focus');
  const { header, rows } = readCsv(stdout);
  const faultsOf = (change: Readonly<Record<string, string>>) =>
    findFocusFaults(header, [{ ...rows[0], ...change }]);
  expect(faultsOf({ BilledCost: '' })).toEqual(['row 1: BilledCost is null']);
  expect(faultsOf({ BilledCost: '1,0' })).toEqual(['row 1: BilledCost is 1,0']);
  expect(faultsOf({ ChargeCategory: 'Use' })[0]).toBe('row 1: ChargeCategory is Use');
  expect(faultsOf({ ListCost: '3' })).toEqual(['row 1: ListCost is not price times quantity']);
  expect(faultsOf({ ChargePeriodEnd: '2026-12-01T00:00:00Z' })).toEqual([
    'row 1: the charge is of after its billing period',
  ]);
  expect(faultsOf({ ChargePeriodEnd: '2026-10-15' })).toEqual(['row 1: ChargePeriodEnd is 2026-10-15']);
  expect(findFocusFaults(header.slice(2), [])).toEqual(['column BilledCost is missing']);
  expect(findFocusFaults([...header, 'Price'], [])).toEqual(['column Price is not of the specification']);
});
