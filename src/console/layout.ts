import { renderToString } from 'preact-render-to-string';
import { lastListedAt } from '../resources/account.ts';
import { writeInstant } from './answer-field.ts';
import { assetPaths } from './asset.ts';
import { type BannerContent, drawBanner } from './banner.ts';
import type { LiveState } from './live-state.ts';
import type { AnyPage } from './page.ts';
import { html, type Markup } from './part/html.ts';
import { ago } from './part/instant.ts';
import { withoutControls } from './part/shown-text.ts';
import { termList } from './part/term.ts';

export interface LayoutContent extends Pick<BannerContent, 'conditions' | 'account' | 'restsOn'> {
  readonly title: string;
  readonly body: Markup | null;
  readonly path: string;
  readonly version: string;
  readonly telemetryPath: string;
  readonly pages: readonly AnyPage[];
  /** The page that is shown; absent where it is of a problem. */
  readonly page?: AnyPage;
  readonly live: LiveState;
  /** The instant that all figures on it are of; absent where it has none. */
  readonly asOf?: string;
  /** Seconds after which it is asked for again, where that is sooner than usual. */
  readonly renewAfterS?: number;
}

/** A whole page: navigation, what is shown, and how fresh that is. */
export function drawLayout({
  title,
  body,
  path,
  version,
  telemetryPath,
  pages,
  page,
  live,
  asOf,
  renewAfterS,
  ...banner
}: LayoutContent): string {
  const listed = pages.filter(({ isListed }) => isListed);
  const section = page?.path.split('/')[1];
  const isCurrent = (each: AnyPage) => each.path.split('/')[1] === section && page !== undefined;
  const current = (each: AnyPage) => (!isCurrent(each) ? null : each.path === path ? 'page' : 'true');
  const markup = html`<html lang="en">
<head>
<meta charset="utf-8" />
<meta name="viewport" content="width=device-width, initial-scale=1" />
<meta name="color-scheme" content="light dark" />
<title>${title} · dbpm-exporter</title>
<link rel="icon" href=${assetPaths.icon} type="image/svg+xml" />
<link rel="stylesheet" href=${assetPaths.style} />
<script type="module" src=${assetPaths.script}></script>
${renewAfterS !== undefined && html`<noscript><meta http-equiv="refresh" content=${renewAfterS} /></noscript>`}
</head>
<body>
<a class="skip" href="#main">Skip to the content</a>
<header class="bar">
<a class="home" href="/">dbpm-exporter</a>
<nav aria-label="Pages"><ul>${listed.map(each => html`<li><a href=${each.path} aria-current=${current(each)}>${each.title}</a></li>`)}</ul></nav>
</header>
<main id="main" tabindex="-1">
${drawBanner({ ...banner, now: live.now, ...(page && { page }) })}
<h1>${title}</h1>
${body}
</main>
<footer id="fresh"><p data-renew-after=${renewAfterS}>${asOf !== undefined && html`<span>All figures are as of <time datetime=${asOf}>${asOf.slice(0, 19).replace('T', ' ')} UTC</time>. </span>`}${freshness(live)}</p>${termList(page?.words ?? [])}<p>dbpm-exporter ${version} · <a href="/words">Words</a> · ${live.histories === undefined && html`<a href=${telemetryPath}>Metrics</a> · `}<a href="/api/v1/openapi.json">API</a></p></footer>
</body>
</html>`;
  return `<!doctype html>${withoutControls(renderToString(markup))}`;
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
