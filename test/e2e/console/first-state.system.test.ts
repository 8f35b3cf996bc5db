import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { patience } from '../../support/patience.ts';
import { describeWithPeers } from '../../support/peer.ts';
import { ConsoleBrowser, findFaults } from './console-browser.ts';
import { firstStates } from './first-state.ts';

type Name = keyof typeof firstStates;

const ofAll = ['/', '/cost', '/keys'];
const withoutFigures = ['/words'];
const remedy =
  'Create another one at the service and write it where api_key_file points: it is used with the next request.';

/** What is said on which pages, word by word; these pages have one banner, and all others have none. */
const said: Readonly<
  Record<
    Name,
    { readonly on: readonly string[]; readonly words: readonly RegExp[]; readonly not?: readonly string[] }
  >
> = {
  unread: {
    on: ofAll,
    words: [
      /Account main is being read for the first time\. The service was asked at [\d:]+ and has not answered yet\./,
    ],
  },
  importing: {
    on: ['/', '/cost'],
    words: [
      /The past of 3 of 8 projects of account main is still being read: that takes about \d+ (second|minute)s?\. Figures are shown when it is whole\./,
      /Sure already: projects, endpoints, operations and API keys, as they are read\. Held back until then: use, cost, forecasts and findings\./,
    ],
    not: ['/keys'],
  },
  'wrong-key': {
    on: ofAll,
    words: [
      /^The service refuses the API key of account main/,
      /Nothing has been read for \d+ s\. What is below is from [\d:]+; what has happened since does not show\./,
      /Cause: the API key is missing, mistyped or revoked\./,
      new RegExp(remedy),
      /dbpm-exporter check asks the service from this host/,
      /Last good reading [\d:]+ Since [\d:]+, \d+ s Failed attempts \d+ Last attempt [\d:]+ Next attempt (\d|under way)/,
    ],
  },
  unreachable: {
    on: ofAll,
    words: [
      /^The service cannot be reached for account main/,
      /Cause: nothing listens there\./,
      /Check base_url, and the proxy where there is one\./,
    ],
  },
  'empty-account': {
    on: ofAll,
    words: [/Account main has no projects\. If you expect some, check org_id of the account/],
  },
  'no-prices': { on: [], words: [], not: ofAll },
  'no-findings': { on: [], words: [], not: ofAll },
  'one-of-several': {
    on: [...ofAll, '/keys?account=shop'],
    words: [
      /^The service refuses the API key of account shop/,
      /Nothing has been read for \d+ s\. What is (below|shown of it) is from [\d:]+;/,
      new RegExp(remedy),
    ],
    not: ['/cost?account=production', '/keys?account=production'],
  },
  shard: {
    on: ofAll,
    words: [
      /This is shard 1\/3: it reads and shows its share of the projects, and API keys are read by shard 0\/3\./,
    ],
  },
  standby: {
    on: ofAll,
    words: [
      /This is a standby: it shows what the daemon that has the history wrote, as read at [\d:]+\. It takes over by itself when that daemon is gone\./,
    ],
  },
  'set-aside': {
    on: ofAll,
    words: [
      /^The history was damaged and set aside, and the newest backup goes on in its place/,
      /What was recorded since [\d: -]+ is lost but for what the service still tells\./,
      /Look at the disk, which may be failing\./,
    ],
  },
};

describeWithPeers(['chromium'], 'the first states of the console', ({ chromium }) => {
  let browser: ConsoleBrowser;
  beforeAll(async () => {
    browser = await ConsoleBrowser.open(chromium);
  });
  afterAll(() => browser[Symbol.asyncDispose]());

  /** The banners of a page, once its figures were looked for. */
  async function bannersOf(page: Page, address: string, count: number): Promise<readonly string[]> {
    await page.goto(address);
    const banners = page.locator('main > .alert');
    await expect.poll(() => banners.count(), { ...patience, message: address }).toBe(count);
    return banners.allInnerTexts();
  }

  test.each(Object.keys(said) as Name[])(
    '%s is said on the pages it concerns, and on no other',
    async name => {
      await using stack = new AsyncDisposableStack();
      const { url } = await firstStates[name](stack);
      const page = await browser.visit(url, { viewport: { width: 1400, height: 900 } });
      stack.defer(() => page.close());
      const { on, words, not = [] } = said[name];
      for (const address of on) {
        const [banner = ''] = await bannersOf(page, address, 1);
        const text = banner.replaceAll(/\n+/g, ' ');
        for (const each of words) expect(text, address).toMatch(each);
      }
      for (const address of [...not, ...withoutFigures]) await bannersOf(page, address, 0);
      await page.goto('/health');
      // A service that hangs is given up after half a minute, and a look for barriers takes long.
      if (words.length > 0 && name !== 'importing') {
        const health = (await page.locator('main').innerText()).replaceAll(/\n+/g, ' ');
        expect(health).toMatch(new RegExp(words[0]?.source.replace('^', '') ?? ''));
      }
      expect(await findFaults(page, 1)).toEqual([]);
      await page.goto('/');
      expect(await findFaults(page, 1)).toEqual([]);
      expect(browser.complaints.splice(0)).toEqual([]);
    },
  );

  test('a banner goes with the first answer of the service, and with it what is as of an earlier instant', async () => {
    await using stack = new AsyncDisposableStack();
    const { url, world } = await firstStates['wrong-key'](stack);
    const page = await browser.visit(url);
    stack.defer(() => page.close());
    await page.goto('/');
    expect(await page.locator('h1').innerText()).toMatch(/^Overview, as of [\d:]+$/);
    await world.call('DELETE', '/faults');
    await expect
      .poll(async () => {
        await page.reload();
        const isOld = (await page.locator('h1').innerText()).includes('as of');
        return [await page.locator('main > .alert').count(), isOld];
      }, patience)
      .toEqual([0, false]);
  });
});
