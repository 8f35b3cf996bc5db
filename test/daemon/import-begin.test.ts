import { expect, test } from 'vitest';
import { ImportBegins } from '../../src/daemon/import-begin.ts';

const summary = { account: 'main', collectors: [], operationDurations: [], api_keys: [] };
const overviews = (importsLeft?: number) => [
  { summary: { ...summary, ...(importsLeft !== undefined && { importsLeft }) }, projects: 5, endpoints: 0 },
];

test('an import began when there was first something left of it, and lasts until there is nothing', () => {
  const imports = new ImportBegins();
  imports.note(overviews(), 1000);
  expect(imports.list()).toEqual([]);
  imports.note(overviews(2), 2000);
  // The list of projects goes on.
  imports.note(overviews(5), 3000);
  imports.note(overviews(1), 4000);
  expect(imports.list()).toEqual([{ account: 'main', at: 2000, left: 5 }]);
  imports.note(overviews(0), 5000);
  expect(imports.list()).toEqual([]);
  imports.note(overviews(1), 6000);
  expect(imports.list()).toEqual([{ account: 'main', at: 6000, left: 1 }]);
});
