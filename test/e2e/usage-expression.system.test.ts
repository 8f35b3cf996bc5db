import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { buildRuleGroups } from '../../dashboards/rules/rule-file.ts';
import { loadCheckedRules } from '../../src/check/config/loaded-config.ts';
import { catalog } from '../../src/resources/catalog.ts';
import { listBoardExpressions } from '../dashboards/board-expression.ts';
import { publishPage } from '../support/page-text.ts';
import { patience } from '../support/patience.ts';
import { describeWithPeers } from '../support/peer.ts';
import { type Prometheus, startPrometheus } from '../support/prometheus.ts';
import { sampleUsage } from '../support/sample-usage.ts';
import { sampleView } from '../support/sample-view.ts';

const expressions = listBoardExpressions().filter(
  ({ board, expression }) => board === 'dbpm-usage-cost' || /cost|finding/.test(expression),
);
const rules = buildRuleGroups(await loadCheckedRules({ flags: {}, env: {} }))
  .filter(({ name }) => ['dbpm-spending', 'dbpm-usage'].includes(name))
  .flatMap(group => group.rules);

/** What a later version of the service tells besides. */
const metered = {
  compute_unit_seconds: 3600,
  root_branch_bytes_month: 2e9,
  public_network_transfer_bytes: 5e8,
  extra_branches_month: 1,
};
const account = { ...sampleView, importsLeft: 1, metered, meteredUntilAt: Date.now() };
const ledgers = {
  meteredComputeSeconds: 3600,
  reportedComputeSeconds: 9000,
  fromAt: 0,
  drifting: [
    {
      account: 'main',
      project_id: 'shop',
      likelyWrong: 'reported',
      driftComputeSeconds: 5400,
      meteredComputeSeconds: 3600,
    },
  ],
} as const;
const awakeDrifts = [
  { account: 'main', project_id: 'shop', driftSeconds: 7200, likelyWrong: 'reconstructed' },
] as const;
const accounts = sampleUsage.accounts.map(use => ({ ...use, ledgers, awakeDrifts }));
const page = publishPage(catalog, [account], { ...sampleUsage, accounts }).text;

const shop = { account: 'main', project_id: 'shop', project_name: 'Shop "one"' } as const;

/** What a person reads in a panel, of one row or line. */
const shown = [
  ['Cost so far', { currency: 'EUR' }, 0.4],
  ['Expected at the end', { currency: 'EUR' }, 22.5],
  ['Compute so far', {}, 2.5],
  ['Budgets that will not do', {}, 1],
  // Of an endpoint, and of branches.
  ['Could be saved a month', { currency: 'EUR' }, 12.9],
  ['Could be saved a month', { currency: 'EUR' }, 18],
  ['Budgets', { budget: 'web', unit: 'EUR' }, 30],
  ['Budgets', { budget: 'web' }, 0],
  ['Cost of the period, and where it will end', { currency: 'EUR' }, 20.25],
  ['Cost of the period, and where it will end', { currency: 'EUR' }, 25],
  ['Cost of the period, and where it will end', { budget: 'web', unit: 'EUR' }, 40],
  ['Cost by group', { group: 'web', currency: 'EUR' }, 0.3],
  ['Compute hours by group', { group: 'ungrouped' }, 3000 / 3600],
  ['Billing periods', { account: 'main', currency: 'EUR' }, 18],
  ['Budgets', { budget: 'web' }, 0.5],
  ['How fast the budgets are spent', { budget: 'web' }, 1.125],
  ['Projects by use', shop, 120 / 3600],
  ['Projects by use', { ...shop, currency: 'EUR' }, 0.3],
  ['Cost by line of the bill', { line: 'storage', currency: 'EUR' }, 0.1],
  ['Projects with unusual use', shop, 1.5],
  ['Projects with unusual use', shop, 64e9],
  ['Projects with unusual use', shop, 12],
  ['Findings', { ...shop, endpoint_id: 'ep-1', finding: 'woken_on_period' }, 15],
  ['Findings', { ...shop, endpoint_id: 'ep-1', finding: 'woken_on_period', currency: 'EUR' }, 2.4],
  ['Findings', { ...shop, endpoint_id: 'ep-1', finding: 'woken_on_period' }, 25],
  ['Findings', { ...shop, endpoint_id: 'ep-1', finding: 'woken_on_period', currency: 'EUR' }, 4],
  ['Branches without use', { ...shop, currency: 'EUR' }, 10.5],
  ['Branches without use', { ...shop, currency: 'EUR' }, 14],
  ['Branches without use', shop, 7],
  ['Accounts', { account: 'main' }, 600 / 3600],
  ['Accounts', { account: 'main' }, 0.125],
] as const;

describeWithPeers(
  ['prometheus'],
  'on a real Prometheus that scraped two exporters',
  ({ prometheus: path }) => {
    let server: Server;
    let prometheus: Prometheus;

    beforeAll(async () => {
      server = createServer((_request, response) => {
        response.setHeader('content-type', 'text/plain; version=0.0.4; charset=utf-8');
        response.end(page);
      });
      server.listen(0, '127.0.0.1');
      await once(server, 'listening');
      const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/metrics`;
      prometheus = await startPrometheus(path, { dbpm: url, other: url });
    });

    afterAll(async () => {
      await prometheus?.close();
      server?.close();
    });

    test.each(expressions)('$panel shows data', async ({ expression }) => {
      await vi.waitFor(async () => expect(await prometheus.query(expression)).not.toEqual([]), patience);
    });

    test.each(shown)('%s shows %o as %d, of one of the two', async (panel, labels, value) => {
      const ofPanel = expressions
        .filter(each => each.panel === panel)
        .map(({ expression }) => expression.replaceAll('job=~".+"', 'job=~"dbpm"'));
      // Each of the two is scraped at its own moments.
      await vi.waitFor(async () => {
        const found = await Promise.all(ofPanel.map(expression => prometheus.query(expression)));
        expect(found.flat()).toContainEqual(expect.objectContaining({ labels, value }));
      }, patience);
    });

    test.each(rules)('$alert can be asked for', async ({ expr }) => {
      await expect(prometheus.query(expr)).resolves.toBeDefined();
    });
  },
);
