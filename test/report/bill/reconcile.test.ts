import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readCsv } from '../../support/csv-reader.ts';
import { ClosedHistory } from './closed-history.ts';

let world: ClosedHistory;
beforeAll(() => {
  world = new ClosedHistory();
});
afterAll(() => world[Symbol.dispose]());

async function reconcile(invoice: string, flags = '') {
  const path = join(world.folder.path, 'invoice.csv');
  writeFileSync(path, invoice);
  return world.run(`reconcile --invoice ${path} --period billing:2026-10${flags}`);
}

/** The first sentence. */
async function sentenceOf(invoice: string): Promise<string | undefined> {
  return (await reconcile(invoice)).stdout.split('\n')[0];
}

const head = 'Description,Quantity,Unit price,Amount,Project\n';

// October is 90 compute hours at 0.16, which are 14.40, and 0.60 to the minimum of 15.
test('an invoice of what was worked out differs by nothing', async () => {
  const invoice = `${head}Compute hours,90.00,0.16,14.40,shop\nMinimum charge,,,0.60,\nTotal,,,15.00,\n`;
  expect(await reconcile(invoice)).toEqual({
    exitCode: 0,
    stderr: '',
    stdout: `The invoice is what was worked out, 15.00 USD.

Invoice of account main beside what was worked out, 2026-10: 2026-10-01 00:00 to 2026-11-01 00:00 (UTC), in USD

item            project  invoiced quantity  own quantity  invoiced price  own price  invoiced  worked out  difference  because of
--------------  -------  -----------------  ------------  --------------  ---------  --------  ----------  ----------  ----------
Compute hours   shop                 90.00         90.00            0.16       0.16     14.40       14.40        0.00
Minimum charge                                                                           0.60        0.60        0.00
--------------  -------  -----------------  ------------  --------------  ---------  --------  ----------  ----------  ----------
total                                                                                   15.00       15.00        0.00

- Left out, as sums of other lines: Total (15.00).
- Differences up to 0.01 USD, rounding not counted, are taken for none.
`,
  });
});

test('what differs is named with its cause, and the parts add up to the difference', async () => {
  const invoice = `${head}Compute hours,100.00,0.17,17.00,shop\nData storage,40,0.35,14.00,shop\n`;
  const { exitCode, stdout, stderr } = await reconcile(invoice);
  expect({ exitCode, stderr }).toEqual({
    exitCode: 3,
    stderr: 'dbpm-exporter: the invoice differs by more than the tolerance of 0.01 USD\n',
  });
  expect(stdout).toMatch(/^total .* 16\.00$/m);
  // Of ten hours more, of 1.60, 0.60 would have been in the minimum.
  expect(stdout).toContain(
    'The invoice is 16.00 USD more than worked out: 14.00 not modelled (Data storage), 1.00 quantity, 1.00 price.\n',
  );
  const { rows, totals, notes, partial } = JSON.parse((await reconcile(invoice, ' --format json')).stdout);
  expect(rows).toMatchObject([
    { item: 'Data storage', difference: '14.00', not_modelled: '14.00' },
    { item: 'Compute hours', invoiced: '17.00', worked_out: '14.40', quantity: '1.60', price: '1.00' },
    { item: 'minimum, scale', invoiced: '0.00', worked_out: '0.60', difference: '-0.60', quantity: '-0.60' },
  ]);
  expect(totals).toMatchObject({ invoiced: '31.00', worked_out: '15.00', difference: '16.00' });
  expect({ partial, first: notes[0] }).toEqual({ partial: true, first: stdout.split('\n')[0] });
  const csv = readCsv((await reconcile(invoice, ' --format csv')).stdout);
  expect(csv.rows.map(row => [row.item, row.because_of, row.price])).toEqual([
    ['Data storage', '14.00 not modelled', ''],
    ['Compute hours', '1.60 quantity, 1.00 price', '1.00'],
    ['minimum, scale', "'-0.60 quantity", ''],
  ]);
});

test.for([
  [
    'Compute hours,90,0.16,14.41,shop\nMinimum charge,,,0.60,',
    'The invoice is 0.01 USD more than worked out: 0.01 price.',
  ],
  [
    'Compute hours,90,0.16,14.404,shop\nMinimum charge,,,0.60,',
    'The invoice is 0.004 USD more than worked out: 0.004 price.',
  ],
  [
    'Compute hours,90,,14.40,\nMinimum,,,0.60,\nStartup credit,,,-5.00,',
    'The invoice is 5.00 USD less than worked out: -5.00 not modelled (Startup credit).',
  ],
  [
    'Compute hours,90,0.16,14.40,\n',
    'The invoice is 0.60 USD less than worked out: -0.60 not invoiced (minimum, scale).',
  ],
  ['Compute hours,80,0.16,12.80,\nMinimum,,,2.20,', 'The invoice is what was worked out, 15.00 USD.'],
  [
    'Compute hours,90,0.16,14.40,elsewhere\n',
    'The invoice is 0.60 USD less than worked out: 14.40 not modelled (Compute hours), -15.00 not invoiced (compute, scale; minimum, scale).',
  ],
] as const)('%s', async ([lines, sentence], { expect }) => {
  expect(await sentenceOf(head + lines)).toBe(sentence);
});

const includedPrices = `
pricing:
  currency: USD
  rounding: {decimals: 2}
  plans:
    - name: scale
      prices: [{from: 2026-01-01, per_compute_hour: 0.16}]
      included: {compute_hours: 10, per: account}
      base_fee: 19
  adjustments: [{name: VAT, kind: tax, from: 2026-01-01, percent: 19}]
`;

const fullPrices = `
pricing:
  currency: USD
  rounding: {decimals: 2, line: account}
  plans:
    - name: scale
      prices: [{from: 2026-01-01, per_compute_hour: 0.16}]
      included: {compute_hours: 10, per: account}
      base_fee: 19
  lines: [{name: storage, from: 2026-10-01, to: 2026-11-01, quantity: 40, unit: GB-month, price: 0.35}]
  adjustments: [{name: VAT, kind: tax, from: 2026-01-01, percent: 19}]
reconcile:
  columns: {description: Posten, quantity: Menge, unit_price: Preis, amount: Betrag}
  decimal: comma
  tolerance: 0.5%
  lines: [{match: "Grundgebühr*", as: base_fee, plan: scale}, {match: "Inklusiv*", as: included}]
`;

test('columns, numbers and lines are read as the configuration says', async () => {
  using full = new ClosedHistory();
  full.price(fullPrices);
  const path = join(full.folder.path, 'rechnung.csv');
  const rows = [
    'Posten;Menge;Preis;Betrag',
    'Compute;90,00;0,16;14,40 $',
    'Inklusivstunden;-10;0,16;-1,60',
    'Grundgebühr;;;19,00',
    'Storage;40;0,35;14,00',
    'VAT 19 %;;;8,70',
  ];
  const run = async (lines: readonly string[]) => {
    writeFileSync(path, `\uFEFF${lines.join('\r\n')}\r\n`);
    const { exitCode, stdout } = await full.run(`reconcile --invoice ${path} --period billing:2026-10`);
    return { exitCode, sentence: stdout.split('\n')[0] };
  };
  expect(await run(rows)).toEqual({
    exitCode: 0,
    sentence: 'The invoice is what was worked out, 54.50 USD.',
  });
  // Half a percent of 54.50 is 0.27.
  expect(await run([...rows.slice(0, 5), 'VAT 19 %;;;8,90'])).toEqual({
    exitCode: 0,
    sentence: 'The invoice is 0.20 USD more than worked out: 0.20 price.',
  });
  expect(await run([...rows, 'Backup;;;0,28'])).toEqual({
    exitCode: 3,
    sentence: 'The invoice is 0.28 USD more than worked out: 0.28 not modelled (Backup).',
  });
});

test('what is taken off and thousands are read in each way that invoices write them', async () => {
  const written = ['-5.00', '(5.00)', '($5.00)', '-$5.00', '5.00-', '5.00 USD -', '−5.00'];
  const credits = written.map(credit => `Startup credit,,,${credit},\n`).join('');
  const grouped = ['"1,000.00"', "1'000.00", '1’000.00', '1 000.00'];
  const fees = grouped.map(fee => `Support,,,${fee},\n`).join('');
  expect(await sentenceOf(`${head}Compute,90,0.16,14.40,\nMinimum,,,0.60,\n${credits}${fees}`)).toBe(
    'The invoice is 3965.00 USD more than worked out: 3965.00 not modelled (Support; Startup credit).',
  );
});

test('an invoice in another currency than the bill is refused, however it is written', async () => {
  const minimum = 'Minimum charge,,,0.60,\n';
  for (const own of ['$14.40', '14.40 USD'])
    expect(
      await sentenceOf(`${head}Compute hours,90.00,,${own},\n${minimum}Total in euros,,,€13.80,\n`),
      own,
    ).toBe('The invoice is what was worked out, 15.00 USD.');
  for (const [line, sign] of [
    ['Compute hours,90.00,0.16,"€14.40",', '€'],
    ['Compute hours,90.00,0.16 EUR,14.40,', 'EUR'],
  ])
    expect(await reconcile(`${head}${line}\n${minimum}`)).toEqual({
      exitCode: 2,
      stdout: '',
      stderr: `dbpm-exporter: line 2 of the invoice is in ${sign}, and the bill is in USD, which cannot be compared: write prices in the currency of the invoice\n`,
    });
  const titled = await reconcile('Description,Amount (EUR)\nCompute hours,14.40\nMinimum charge,0.60\n');
  expect(titled).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining('line 2 of the invoice is in EUR'),
  });
});

test('an invoice that cannot be read says its line, its column and what to write', async () => {
  expect(await reconcile(`${head}Compute,x1,0.16,14.40,\nStorage,1,2,1.2.3,\n`)).toEqual({
    exitCode: 2,
    stdout: '',
    stderr: `DIR/invoice.csv:2: quantity: found "x1", write a number such as 1,234.50
DIR/invoice.csv:3: amount: found "1.2.3", write a number such as 1,234.50
`,
  });
  expect((await reconcile('Thing,Sum\nCompute,1\n')).stderr).toBe(
    `DIR/invoice.csv:1: description: found no column for it in "Thing, Sum", write reconcile.columns.description with the name of the column
DIR/invoice.csv:1: amount: found no column for it in "Thing, Sum", write reconcile.columns.amount with the name of the column
`,
  );
  expect((await reconcile('')).stderr).toBe(
    'dbpm-exporter: DIR/invoice.csv is empty: name an invoice with a line of column names\n',
  );
  expect((await reconcile(`${head}"Compute`)).stderr).toMatch(
    /^dbpm-exporter: DIR\/invoice.csv is not CSV \(Quote Not Closed: .*\): export the invoice as CSV\n$/,
  );
  expect((await world.run('reconcile --invoice /nowhere.csv')).stderr).toBe(
    'dbpm-exporter: --invoice: /nowhere.csv, which does not exist: name the CSV file of an invoice\n',
  );
  expect((await reconcile(head, ' --tolerance 1e3')).stderr).toBe(
    'dbpm-exporter: --tolerance: found "1e3", write an amount such as 0.01, or a share such as 0.5%\n',
  );
});

test('an invoice that leaves out a column it needs says which lines have no amount', async () => {
  const invoice =
    'Description,Quantity,Unit price,Sum\nCompute,90,0.16,14.40\nYour plan,,,\nMinimum,,,0.60\n';
  expect(await reconcile(invoice)).toEqual({
    exitCode: 2,
    stdout: '',
    stderr: `DIR/invoice.csv:4: amount: found neither a column for it in "Description, Quantity, Unit price, Sum" nor a quantity with its price, write reconcile.columns.amount with the name of the column
`,
  });
});

test('included hours that an invoice names and does not charge are left out', async () => {
  using full = new ClosedHistory();
  full.price(includedPrices);
  const path = join(full.folder.path, 'invoice.csv');
  writeFileSync(
    path,
    `${head}Included compute hours,-10,,0.00,\nCompute,80,0.16,12.80,\nMonthly fee,1,19,19.00,\nVAT,,,6.04,\n`,
  );
  const { stdout } = await full.run(`reconcile --invoice ${path} --period billing:2026-10`);
  expect(stdout.split('\n')[0]).toBe(
    'The invoice is what was worked out, 37.84 USD: 19.00 not modelled (Monthly fee), -19.00 not invoiced (base fee, scale).',
  );
  expect(stdout).toContain('- Left out, as nothing is charged for them: Included compute hours.\n');
  expect(stdout).toContain(
    '- "Monthly fee" (19.00) may be "base fee, scale" (19.00): if it is, write {match: "Monthly fee", as: base_fee, plan: scale} under reconcile.lines.\n',
  );
});

test('a tax differs for the causes of what it is on, and a rate for its price', async () => {
  using full = new ClosedHistory();
  full.price(includedPrices);
  const path = join(full.folder.path, 'invoice.csv');
  const run = async (vat: string) => {
    // Net 49.80 in place of 31.80: 10 hours more are 1.60, 90 hours for 0.06 more are 5.40, and backups are 11.00.
    const lines = `Compute,90,0.22,19.80,\nBase fee,1,19,19.00,\nBackup,1,11,11.00,\n`;
    writeFileSync(path, `${head}${lines}VAT,,,${vat},\n`);
    const { stdout } = await full.run(`reconcile --invoice ${path} --period billing:2026-10 --format json`);
    return JSON.parse(stdout).rows.find(({ item }: { item: string }) => item === 'VAT');
  };
  expect(await run('9.46')).toMatchObject({
    worked_out: '6.04',
    difference: '3.42',
    because_of: '2.09 not modelled, 0.30 quantity, 1.03 price',
  });
  expect(await run('10.46')).toMatchObject({
    difference: '4.42',
    because_of: '2.09 not modelled, 0.30 quantity, 2.03 price',
  });
});

test('a tax that an invoice shares out to projects is one line of ours, and differs by rounding alone', async () => {
  using full = new ClosedHistory();
  full.price(includedPrices);
  const path = join(full.folder.path, 'invoice.csv');
  const net = 'Compute,80,0.16,12.80,shop\nBase fee,1,19,19.00,\n';
  // 6.042 in all is 6.04; of three projects each part is rounded up.
  const taxes = 'VAT,,,2.02,shop\nVAT,,,2.02,dw\nVAT,,,2.02,lab\n';
  writeFileSync(path, `${head}${net}${taxes}`);
  const { exitCode, stdout } = await full.run(`reconcile --invoice ${path} --period billing:2026-10`);
  expect({ exitCode, sentence: stdout.split('\n')[0] }).toEqual({
    exitCode: 0,
    sentence: 'The invoice is 0.02 USD more than worked out: 0.02 rounding.',
  });
  expect(stdout.split('\n').filter(line => /VAT/.test(line))).toEqual([
    expect.stringMatching(/^VAT +6\.06 +6\.04 +0\.02 +0\.02 rounding$/),
  ]);
});

test('a tax that is not on the invoice is not invoiced, whatever else differs', async () => {
  using full = new ClosedHistory();
  full.price(includedPrices);
  const path = join(full.folder.path, 'invoice.csv');
  writeFileSync(path, `${head}Compute,40,0.16,6.40,\nBase fee,1,19,19.00,\n`);
  const { stdout } = await full.run(`reconcile --invoice ${path} --period billing:2026-10`);
  // 40 hours less are 6.40, and of 31.80 the tax is 6.04.
  expect(stdout.split('\n')[0]).toBe(
    'The invoice is 12.44 USD less than worked out: -6.04 not invoiced (VAT), -6.40 quantity.',
  );
});

test('what is billed and not metered is a line of its own, and no difference', async () => {
  using full = new ClosedHistory();
  full.price(includedPrices);
  const path = join(full.folder.path, 'invoice.csv');
  const net = 'Compute,80,0.16,12.80,shop\nBase fee,1,19,19.00,\n';
  const beyond = 'Object storage (GB-month),100,0.02,2.00,shop\nFunctions,,,3.00,\n';
  // 19 % of 36.80.
  writeFileSync(path, `${head}${net}${beyond}VAT,,,6.99,\n`);
  const { exitCode, stdout } = await full.run(`reconcile --invoice ${path} --period billing:2026-10`);
  expect(exitCode).toBe(0);
  expect(stdout.split('\n')[0]).toBe(
    'The invoice is what was worked out, 37.84 USD. Besides, 5.95 billed, not metered (Object storage (GB-month); Functions).',
  );
  const { rows, totals } = JSON.parse(
    (await full.run(`reconcile --invoice ${path} --period billing:2026-10 --format json`)).stdout,
  );
  const find = (item: string) => rows.find((row: { item: string }) => row.item === item);
  expect(find('Functions')).toMatchObject({
    ...{ invoiced: '3.00', worked_out: '0.00', difference: '0.00' },
    ...{ not_metered: '3.00', because_of: '3.00 billed, not metered' },
  });
  expect(find('VAT')).toMatchObject({ worked_out: '6.04', difference: '0.00', not_metered: '0.95' });
  expect(totals).toMatchObject({ invoiced: '43.79', worked_out: '37.84', difference: '0.00' });
  // A price book that has such a line is compared with it.
  full.price(
    includedPrices.replace(
      '  adjustments',
      '  lines: [{name: functions, from: 2026-01-01, amount: 3}]\n  adjustments',
    ),
  );
  const priced = await full.run(`reconcile --invoice ${path} --period billing:2026-10`);
  expect(priced.stdout.split('\n')[0]).toBe(
    'The invoice is what was worked out, 41.41 USD. Besides, 2.38 billed, not metered (Object storage (GB-month)).',
  );
});

test('an invoice of another billing period says of which', async () => {
  const invoice = `${head}Compute hours,90.00,0.16,14.40,shop\nMinimum charge,,,0.60,\n`;
  const path = join(world.folder.path, 'october.csv');
  writeFileSync(path, invoice);
  const { exitCode, stdout } = await world.run(`reconcile --invoice ${path} --period billing:2026-09`);
  expect(exitCode).toBe(3);
  expect(stdout.split('\n')[0]).toMatch(
    /^The invoice is 15\.00 USD more than worked out: .*\. It is what was worked out for another billing period: --period billing:2026-10\.$/,
  );
  const other = await reconcile(invoice.replace('14.40', '14.41'));
  expect(other.stdout.split('\n')[0]).toBe('The invoice is 0.01 USD more than worked out: 0.01 price.');
});

test('a closed period is compared with its bill of then', async () => {
  using closed = new ClosedHistory();
  await closed.run('close --period billing:2026-10');
  closed.findLater();
  const path = join(closed.folder.path, 'invoice.csv');
  writeFileSync(path, `${head}Compute,90,0.16,14.40,\nMinimum,,,0.60,\n`);
  const { exitCode, stdout } = await closed.run(`reconcile --invoice ${path} --period billing:2026-10`);
  expect(exitCode).toBe(0);
  expect(stdout).toContain(
    '- The billing period is closed since 2026-11-03 09:00: the invoice is compared with its bill of then.\n',
  );
});

test('hours of a time that nobody watched are a gap', async () => {
  using gap = new ClosedHistory();
  const path = join(gap.folder.path, 'invoice.csv');
  writeFileSync(path, `${head}Compute hours,80,0.16,12.80,shop\nMinimum,,,2.20,\n`);
  const { stdout } = await gap.run(`reconcile --invoice ${path} --period billing:2026-09`);
  expect(stdout.split('\n')[0]).toBe(
    'The invoice is 15.00 USD more than worked out: 2.20 not modelled (Minimum), 12.80 gap in observation. It is what was worked out for another billing period: --period billing:2026-10.',
  );
});
