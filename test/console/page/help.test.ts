import { afterAll, beforeAll, expect, test } from 'vitest';
import { alerts } from '../../../dashboards/rules/alert-catalog.ts';
import { HistoryFolder } from '../../support/history-folder.ts';
import { openConsole } from '../../support/open-console.ts';
import { startAt } from '../../support/reading-builder.ts';

const folder = new HistoryFolder();
let shown: Awaited<ReturnType<typeof openConsole>>;
beforeAll(async () => {
  shown = await openConsole({ file: folder.file, now: startAt });
});
afterAll(() => {
  shown.close();
  folder[Symbol.dispose]();
});

test.each(alerts.map(({ name }) => name))('the runbook has a page for %s', async name => {
  const { title, html } = await shown.json(`/help/alerts/${name}`);
  expect(title).toBe(name);
  expect(html).toMatch(/<strong>Meaning\.<\/strong>[\s\S]*<strong>Do first\.<\/strong>/);
  expect(html).not.toMatch(/<h[123]/);
});

test('the page of an alert has the values of its settings, what its commands assume, and the page that it is about', async () => {
  const { html } = await shown.json('/help/alerts/DbpmOperationStuck');
  expect(html).toContain('is older than <code>age</code> (1h).');
  expect(html).toContain('<summary>What the commands assume</summary>');
  expect(html).toContain('api() { curl');
  const { text } = await shown.get('/help/alerts/DbpmOperationStuck');
  expect(text).toContain(
    '<a class="btn" href="/operations?status=in_progress">Operations that are stuck now</a>',
  );
  const { html: other } = await shown.json('/help/alerts/DbpmOperationUnusuallyLong');
  expect(other).not.toContain('What the commands assume');
});

test('every document is served, its links lead to pages that are there, and nothing in it is styled or run inline', async () => {
  const { documents } = await shown.json('/help');
  expect(documents).toContainEqual({
    ...{ name: 'alerts', title: 'Alerts' },
    question: 'What does an alert mean, and what do I do first?',
  });
  const links = new Set<string>();
  const anchors = new Set<string>();
  for (const { name, title } of documents) {
    const document = await shown.json(`/help/${name}`);
    expect(document.title).toBe(title);
    expect(document.html).not.toMatch(/<(?:script|style|img|iframe)|style=|<!--| on\w+=/);
    anchors.add(`/help/${name}`);
    for (const [, id] of document.html.matchAll(/<h\d id="([^"]+)"/g)) anchors.add(`/help/${name}#${id}`);
    for (const [, href = ''] of document.html.matchAll(/<a href="([^"]+)"/g)) {
      if (!href.startsWith('http')) links.add(href.startsWith('#') ? `/help/${name}${href}` : href);
    }
  }
  expect(links.size).toBeGreaterThan(30);
  expect([...links].filter(link => !anchors.has(link))).toEqual([]);
});

test('what is not there says so, and where to look', async () => {
  expect(await shown.json('/help/alerts/DbpmNothing')).toMatchObject({
    status: 404,
    detail: 'The help has nothing called "alerts/DbpmNothing".',
    possible: ['/help/alerts', '/help'],
  });
  expect((await shown.get('/help/alerts/DbpmNothing')).text).toContain(
    '<a href="/help/alerts">The whole document alerts</a>',
  );
  expect((await shown.json('/help/..%2FREADME')).status).toBe(404);
});
