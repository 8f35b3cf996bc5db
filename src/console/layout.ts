import { renderToString } from 'preact-render-to-string';
import { lastListedAt } from '../resources/account.ts';
import { writeInstant } from './answer-value.ts';
import { assetPaths } from './asset.ts';
import { type BannerContent, drawBanner, findStale } from './banner.ts';
import { type BarContent, drawBar, outerPathOf } from './bar.ts';
import type { LiveState } from './live-state.ts';
import type { PageHead } from './page.ts';
import { html, type Markup } from './part/html.ts';
import { iconSheet } from './part/icon.ts';
import { ago, clock } from './part/instant.ts';
import { withoutControls } from './part/shown-text.ts';
import { termList } from './part/term.ts';

/** A page that is drawn, before the frame around it. */
export interface ShownPage extends Pick<BannerContent, 'page' | 'restsOn'> {
  readonly title: string;
  readonly head?: PageHead | undefined;
  readonly body: Markup | null;
  /** The instant that all figures on it are of; absent where it has none. */
  readonly asOf?: string | undefined;
  /** Seconds after which it is asked for again, where that is sooner than usual. */
  readonly renewAfterS?: number | undefined;
}

interface LayoutContent extends ShownPage, BarContent {
  readonly version: string;
  readonly telemetryPath: string;
}

/** A whole page: navigation, what is shown, and how fresh that is. */
export function drawLayout(content: LayoutContent): string {
  const { title, body, renewAfterS } = content;
  const markup = html`<html lang="en">
<head>
<meta charset="utf-8" />
<meta name="viewport" content="width=device-width, initial-scale=1" />
<meta name="color-scheme" content="light dark" />
<title>${title} · dbpm-exporter</title>
<script src=${assetPaths.taste}></script>
<link rel="preload" href=${assetPaths.font} as="font" type="font/woff2" crossorigin="anonymous" />
<link rel="stylesheet" href=${assetPaths.style} />
<link rel="icon" href=${assetPaths.icon} type="image/svg+xml" />
<script type="module" src=${assetPaths.script}></script>
<script type="module" src=${assetPaths.chart}></script>
${renewAfterS !== undefined && html`<noscript><meta http-equiv="refresh" content=${renewAfterS} /></noscript>`}
</head>
<body>
<a class="skip" href="#main">Skip to the content</a>
${iconSheet()}
${drawBar(content)}
<main id="main" tabindex="-1">
${drawBanner(content)}
${drawHead(content)}
${body}
</main>
${drawFoot(content)}
</body>
</html>`;
  return `<!doctype html>${withoutControls(renderToString(markup))}`;
}

function drawHead(content: LayoutContent): Markup {
  const { title, head = {}, asOf, live } = content;
  const { crumb = crumbOf(content), marks, lead, hasStates = false, actions } = head;
  const staleAt = findStale(content);
  // Where nothing was read since an earlier time, the title has that one.
  const figuresAt = asOf !== undefined && !(staleAt && staleAt <= asOf) ? asOf : undefined;
  const said =
    figuresAt &&
    html`<span>${hasStates ? 'States are as of now, use and cost' : 'Figures are'} as of <time datetime=${figuresAt}>${figuresAt.slice(0, 19).replace('T', ' ')} UTC</time>.</span>`;
  const heading = html`<h1>${title}${staleAt && html`, as of ${clock(staleAt, live.now)}`}</h1>`;
  return html`<div class="head"><div>${crumb !== undefined && html`<p class="crumb">${crumb}</p>`}
${marks === undefined ? heading : html`<div class="title">${heading}${marks}</div>`}
${(lead ?? said) !== undefined && html`<p>${lead} ${said}</p>`}</div>${actions !== undefined && html`<div class="acts">${actions}</div>`}</div>`;
}

/** The listed page that this one lies below. */
function crumbOf({ page, pages }: LayoutContent): Markup | undefined {
  const outer = page && pages.find(({ path }) => path === outerPathOf(page) && path !== page.path);
  return outer && html`<a href=${outer.path}>${outer.title}</a> /`;
}

function drawFoot({ live, page, version, telemetryPath, renewAfterS }: LayoutContent): Markup {
  return html`<footer class="foot" id="fresh"><p data-renew-after=${renewAfterS}>${freshness(live)}</p>${termList(page?.words ?? [])}<p class="end">dbpm-exporter ${version} · <a href="/help">Help</a> · <a href="/words">Words</a> · <a href="/report/usage">Reports</a> · ${live.histories === undefined && html`<a href=${telemetryPath}>Metrics</a> · `}<a href="/api/v1/openapi.json">API</a></p></footer>`;
}

function freshness({ now, overviews }: LiveState): Markup {
  const listed = overviews.flatMap(({ summary }) => {
    const at = lastListedAt(summary);
    return at === undefined ? [] : [{ account: summary.account, at }];
  });
  const oldest = listed.toSorted((a, b) => a.at - b.at)[0];
  if (oldest === undefined) return html`<span>Nothing was read from the service yet.</span>`;
  const where = listed.length > 1 ? ` (${oldest.account})` : '';
  return html`<span>Project lists read ${ago(writeInstant(oldest.at), now)}${where}.</span>`;
}
