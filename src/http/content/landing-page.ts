import type { AccountOverview, AccountSummary } from '../../resources/account.ts';
import { dayMs, hourMs, minuteMs, secondMs } from '../../resources/duration.ts';
import { sumOf } from '../../resources/sum.ts';
import { escapeHtml, renderPlainPage } from './plain-page.ts';

interface LandingPageContent {
  readonly version: string;
  readonly telemetryPath: string;
  readonly accounts: readonly AccountOverview[];
  /** Epoch milliseconds. */
  readonly now: number;
}

/** The page at `/`: links to everything, and the freshness of each account; plain HTML without scripts. */
export function renderLandingPage({ version, telemetryPath, accounts, now }: LandingPageContent): string {
  const links = [
    [telemetryPath, 'Metrics'],
    ['/-/healthy', 'Health'],
    ['/-/ready', 'Readiness'],
  ] as const;
  return renderPlainPage(
    'dbpm-exporter',
    `<h1>dbpm-exporter <small>${escapeHtml(version)}</small></h1>
<p>Watches hosted Postgres projects and remembers what it saw.</p>
<ul>
${links.map(([href, label]) => `<li><a href="${escapeHtml(href)}">${label}</a></li>`).join('\n')}
</ul>
${accounts.map(account => renderAccount(account, now)).join('\n')}`,
  );
}

function renderAccount({ summary, projects, endpoints }: AccountOverview, now: number): string {
  const facts = [
    describeAccount(summary),
    `${projects} projects`,
    `${endpoints} endpoints`,
    `${summary.api_keys.length} API keys`,
    ...describeImport(summary),
  ];
  const rows = summary.collectors.map(({ collector, success, lastSuccessAt, lastDurationMs, errors }) => {
    const count = sumOf(Object.values(errors));
    return `<tr><td>${collector}</td><td>${describeSuccess(success)}</td><td>${describeAge(lastSuccessAt, now)}</td><td class="count">${describeDuration(lastDurationMs)}</td><td class="count">${count}</td></tr>`;
  });
  return `<table>
<caption>Account ${escapeHtml(summary.account)}: ${facts.join(', ')}</caption>
<thead><tr><th>Collector</th><th>Last attempt</th><th>Last success</th><th class="count">Took</th><th class="count">Errors</th></tr></thead>
<tbody>
${rows.join('\n')}
</tbody>
</table>`;
}

function describeAccount({ up, authOk }: AccountSummary): string {
  if (authOk === false) return '<span class="failing">the API key is not accepted</span>';
  if (up === undefined) return 'not read yet';
  return up ? 'up' : '<span class="failing">not readable</span>';
}

function describeImport({ importsLeft = 0 }: AccountSummary): string[] {
  return importsLeft > 0
    ? [`importing: ${importsLeft} ${importsLeft === 1 ? 'project' : 'projects'} left`]
    : [];
}

function describeSuccess(success: boolean | undefined): string {
  if (success === undefined) return 'none yet';
  return success ? 'ok' : '<span class="failing">failed</span>';
}

function describeDuration(durationMs: number | undefined): string {
  return durationMs === undefined ? '' : `${(durationMs / 1000).toFixed(2)} s`;
}

function describeAge(at: number | undefined, now: number): string {
  if (at === undefined) return 'never';
  const ageMs = Math.max(0, now - at);
  // Each count is rounded before it is judged, so that two of the next unit are never written as many of this one.
  const count = (unitMs: number) => Math.round(ageMs / unitMs);
  if (count(secondMs) < 120) return `${count(secondMs)} s ago`;
  if (count(minuteMs) < 120) return `${count(minuteMs)} min ago`;
  if (count(hourMs) < 48) return `${count(hourMs)} h ago`;
  return `${count(dayMs)} days ago`;
}
