import { beforeAll, expect, test, vi } from 'vitest';
import { parse } from 'yaml';
import type { Rule, RuleGroup } from '../../../dashboards/rules/rule-file.ts';
import { runCommandLine } from '../../../src/cli/command-line.ts';
import { rulesCommand } from '../../../src/cli/rules.ts';
import { makeFakeIo } from '../../cli/fake-io.ts';
import { patience } from '../../support/patience.ts';
import { describeWithPeers } from '../../support/peer.ts';
import { BrowsedDemo } from './browsed-demo.ts';
import { findBarriers, overflowOf } from './console-browser.ts';

interface FoundOperation {
  readonly account: string;
  readonly project_id: string;
  readonly action: string;
  readonly operation_id: string;
}

/** At three in the morning the link of an alert is the only click before the next step. */
describeWithPeers(['chromium'], 'the links of an alert', ({ chromium }) => {
  const demo = new BrowsedDemo(chromium);
  let url: string;
  let rules: readonly Rule[];

  beforeAll(async () => {
    url = demo.url.replace(/\/$/, '');
    await vi.waitFor(async () => {
      for (const section of ['failed', 'in_progress'] as const)
        expect(await list(section)).not.toHaveLength(0);
    }, patience);
    const { io, printed } = makeFakeIo();
    await runCommandLine(io, ['rules', '--web.external-url', url], [rulesCommand(io)]);
    const { groups }: { readonly groups: readonly RuleGroup[] } = parse(printed.stdout);
    rules = groups.flatMap(group => group.rules);
  });

  async function list(section: 'failed' | 'in_progress'): Promise<readonly FoundOperation[]> {
    const answer = await (await fetch(`${url}/api/v1/operations?range=30d&status=${section}`)).json();
    return (answer as Record<string, { operations: FoundOperation[] }>)[section]?.operations ?? [];
  }

  /** A link as Prometheus gives it to people. */
  function linkOf(alert: string, annotation: string, labels: Readonly<Record<string, string>>): string {
    const rule = rules.find(each => 'alert' in each && each.alert === alert);
    const text = rule !== undefined && 'annotations' in rule ? (rule.annotations[annotation] ?? '') : '';
    return text.replaceAll(/\{\{ \$labels\.(\w+) \| urlquery \}\}/g, (_, name) => labels[name] ?? '');
  }

  test.each([
    ['DbpmOperationFailed', 'failed'],
    ['DbpmOperationStuck', 'in_progress'],
  ] as const)('%s leads to what happened and what to do next', async (alert, section) => {
    const [operation] = await list(section);
    if (operation === undefined) throw new Error('the demo has none');
    const { account, project_id, action, operation_id } = operation;
    for (const viewport of [
      { width: 1400, height: 1000 },
      { width: 390, height: 800 },
    ]) {
      const page = await demo.visit({ viewport });
      await page.goto(linkOf(alert, 'console_url', { account, project_id, action }));
      expect(await page.getByText(operation_id, { exact: true }).count()).toBe(1);
      expect(await page.getByRole('heading', { level: 1 }).textContent()).toMatch(/failed|could not|stuck/);
      const steps = page.locator('section', { hasText: 'What to do next' }).getByRole('listitem');
      expect(await steps.count()).toBeGreaterThan(0);
      expect(await findBarriers(page)).toEqual([]);
      expect(await overflowOf(page)).toBeLessThanOrEqual(0);
      await page.getByRole('link', { name: 'Runbook' }).click();
      await expect.poll(() => page.getByRole('heading', { level: 1 }).textContent()).toBe(alert);
      expect(page.url()).toBe(linkOf(alert, 'runbook_url', {}));
      await page.close();
    }
    expect(demo.complaints).toEqual([]);
  });

  test('which keys are safe to revoke? The page says it with the request that revokes one', async () => {
    const page = await demo.visit({
      javaScriptEnabled: false,
      viewport: { width: 1400, height: 1000 },
    });
    await page.goto(linkOf('DbpmApiKeyNeverUsed', 'console_url', { account: 'demo', key_id: '1040' }));
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toMatch(
      /^\d+ keys? (is|are) safe to revoke/,
    );
    const safe = page.locator('tbody', { has: page.getByRole('heading', { name: 'Safe to revoke' }) });
    await safe.getByText('How to revoke').first().click();
    expect(await safe.locator('pre').first().textContent()).toMatch(
      /^curl -sS -X DELETE -H "Authorization: Bearer \$KEY" 'http:.+\/api_keys\/\d+'$/,
    );
    await page.close();
    expect(demo.complaints).toEqual([]);
  });
});
