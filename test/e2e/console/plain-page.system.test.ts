import { expect, test } from 'vitest';
import { renderLandingPage } from '../../../src/http/content/landing-page.ts';
import { openServer } from '../../http/open-server.ts';
import { describeWithPeers } from '../../support/peer.ts';
import { ConsoleBrowser, findBarriers } from './console-browser.ts';

describeWithPeers(['chromium'], 'pages without a console', ({ chromium }) => {
  test('have their style by its digest, and lead back from where nothing is', async () => {
    const content = { version: '1', telemetryPath: '/metrics', accounts: [], now: 0 };
    const { server } = await openServer({ renderLandingPage: () => renderLandingPage(content) });
    await using browser = await ConsoleBrowser.open(chromium);
    const page = await browser.visit(server.url);
    const widthOf = () => page.evaluate('getComputedStyle(document.body).maxWidth');
    await page.goto('/nothing');
    expect(await page.getByRole('heading').innerText()).toBe('There is no such page');
    expect([await widthOf(), await findBarriers(page)]).toEqual(['960px', []]);
    await page.getByRole('link', { name: 'To the first page' }).click();
    await page.waitForURL(`${server.url}/`);
    expect(await widthOf()).toBe('960px');
    expect(browser.complaints.filter(each => !/\b404\b|favicon/.test(each))).toEqual([]);
  });
});
