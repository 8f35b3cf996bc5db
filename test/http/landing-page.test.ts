import { describe, expect, it } from 'vitest';
import { renderLandingPage } from '../../src/http/content/landing-page.ts';
import type { AccountView, CollectorView } from '../../src/resources/account.ts';
import { sampleView } from '../support/sample-view.ts';

const now = Date.UTC(2026, 0, 2);

function render(view: Partial<AccountView> = {}): string {
  const accounts = [{ summary: { ...sampleView, ...view }, projects: 1, endpoints: 2 }];
  return renderLandingPage({ version: '1.2.3', telemetryPath: '/probe', accounts, now });
}

function renderAge(ageMs: number | undefined): string | undefined {
  const collector: CollectorView = {
    collector: 'projects',
    success: true,
    lastDurationMs: 40,
    errors: {},
    ...(ageMs !== undefined && { lastSuccessAt: now - ageMs }),
  };
  return /<td>ok<\/td><td>([^<]*)<\/td>/.exec(render({ collectors: [collector] }))?.[1];
}

describe('the landing page', () => {
  it('has name, version and links', () => {
    const html = render();
    expect(html).toContain('<h1>dbpm-exporter <small>1.2.3</small></h1>');
    expect(html).toContain('<li><a href="/probe">Metrics</a></li>');
    expect(html).toContain('<li><a href="/-/healthy">Health</a></li>');
    expect(html).toContain('<li><a href="/-/ready">Readiness</a></li>');
  });

  it('shows each account with what it has', () => {
    expect(render()).toContain('<caption>Account main: up, 1 projects, 2 endpoints, 1 API keys</caption>');
  });

  it('says how many projects are still to be imported, while there are any', () => {
    expect(render({ importsLeft: 0 })).not.toContain('importing');
    expect(render({ importsLeft: 1 })).toContain(', 1 API keys, importing: 1 project left</caption>');
    expect(render({ importsLeft: 12 })).toContain('importing: 12 projects left</caption>');
  });

  it('shows each collector with its last attempt, age, duration and errors', () => {
    const at = now - 90_000;
    const html = render({
      collectors: [
        { collector: 'projects', success: true, lastSuccessAt: at, lastDurationMs: 125, errors: {} },
        { collector: 'operations', success: false, lastDurationMs: 40, errors: { locked: 1, timeout: 2 } },
        { collector: 'api_keys', errors: {} },
      ],
    });
    expect(html).toContain(
      '<tr><td>projects</td><td>ok</td><td>90 s ago</td><td class="count">0.13 s</td><td class="count">0</td></tr>',
    );
    expect(html).toContain(
      '<tr><td>operations</td><td><span class="failing">failed</span></td><td>never</td><td class="count">0.04 s</td><td class="count">3</td></tr>',
    );
    expect(html).toContain(
      '<tr><td>api_keys</td><td>none yet</td><td>never</td><td class="count"></td><td class="count">0</td></tr>',
    );
  });

  it.each([
    [undefined, 'never'],
    [-5000, '0 s ago'],
    [0, '0 s ago'],
    [119_000, '119 s ago'],
    [119_400, '119 s ago'],
    [119_500, '2 min ago'],
    [120_000, '2 min ago'],
    [119.4 * 60_000, '119 min ago'],
    [7_199_900, '2 h ago'],
    [2 * 3_600_000, '2 h ago'],
    [47.4 * 3_600_000, '47 h ago'],
    [172_799_000, '2 days ago'],
    [3 * 86_400_000, '3 days ago'],
  ])('writes an age of %s ms as %s', (ageMs, expected) => {
    expect(renderAge(ageMs)).toBe(expected);
  });

  it.each([
    [{ up: true, authOk: true }, 'main: up,'],
    [{ up: false, authOk: true }, 'main: <span class="failing">not readable</span>,'],
    [{ up: false, authOk: false }, 'main: <span class="failing">the API key is not accepted</span>,'],
  ])('of an account with %j says how it is', (state, expected) => {
    expect(render(state)).toContain(expected);
  });

  it('of an account never read says so', () => {
    const { up: _, authOk: __, ...unread } = sampleView;
    const accounts = [{ summary: unread, projects: 0, endpoints: 0 }];
    const html = renderLandingPage({ version: '1', telemetryPath: '/m', accounts, now });
    expect(html).toContain('main: not read yet,');
  });

  it('escapes names, version and path', () => {
    const hostile = `<script>alert("1")</script>'&`;
    const escaped = '&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt;&#39;&amp;';
    const accounts = [{ summary: { ...sampleView, account: hostile }, projects: 1, endpoints: 1 }];
    const html = renderLandingPage({ version: hostile, telemetryPath: hostile, accounts, now });
    expect(html).not.toContain('<script>');
    expect(html.split(escaped)).toHaveLength(4);
  });
});
