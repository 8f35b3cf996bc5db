import type { DrawContext } from '../../page.ts';
import { addressOf } from '../../part/address.ts';
import { card, textCard } from '../../part/card.ts';
import { html, type Markup } from '../../part/html.ts';
import { instant, showAge } from '../../part/instant.ts';
import { onTap } from '../../part/on-tap.ts';
import { saySaving, showSavingWithHours } from '../../part/saving.ts';
import { shownName } from '../../part/shown-text.ts';
import { table } from '../../part/table.ts';
import { maybeTerm } from '../../part/term.ts';
import type { FindingsAnswer, ProjectQuery, SessionAnswer } from './project-schema.ts';

/** Findings of the project: their evidence, what to do, and what that saves. */
export function drawFindings(
  { findings, currency, pending }: FindingsAnswer,
  { path, now }: DrawContext<ProjectQuery>,
): Markup {
  const said = pending
    ? 'Findings are being worked out: they are here in a moment.'
    : findings.length === 0
      ? 'Nothing was found that the project might not need.'
      : undefined;
  if (said !== undefined) return textCard('Findings', html`<p class="m">${said}</p>`, { id: 'findings' });
  return card(
    findings.length === 1 ? 'Finding' : 'Findings',
    findings.map(
      each => html`<div class="in"><h3>${maybeTerm(each.kind)} <code>${shownName(each.endpoint_id)}</code></h3>
<p><strong>${each.advice}</strong></p>
${onTap(
  'Evidence, and what it saves',
  html`<p class="m">${each.evidence} ${each.endpoint_id !== '' && html`<a href=${`${addressOf(path, { range: '30d' })}#timeline`}>See its last 30 days</a>`}</p>
<p>${describeSaving(each, currency)} ${each.advised_delay_seconds !== null && html`<a href=${`${addressOf(path, { suspend_after: each.advised_delay_seconds })}#what-if`}>Replay it with other settings</a>`}</p>
${drawSessions(each.sessions, now)}`,
)}</div>`,
    ),
    { id: 'findings' },
  );
}

/** The very times awake that it is about, with when they were used last. */
function drawSessions(sessions: readonly SessionAnswer[], now: number): Markup | null {
  if (sessions.length === 0) return null;
  return html`<details><summary>What it rests on: the newest times awake</summary>${table({
    caption: 'The newest times in which the endpoint was awake',
    rows: sessions,
    columns: [
      { title: 'Awake from', show: ({ from }) => instant(from) },
      { number: 'For', show: each => showAge(endOf(each, now) - Date.parse(each.from)) },
      { title: 'Last used', show: ({ last_used_at }) => instant(last_used_at, 'not known') },
      { number: 'Then waited', show: each => showWaiting(each, now) },
      {
        title: 'Begun by',
        show: ({ checked_at }) =>
          checked_at === null ? '' : html`check_availability, ${instant(checked_at)}`,
      },
    ],
  })}</details>`;
}

function endOf({ until }: SessionAnswer, now: number): number {
  return until === null ? now : Date.parse(until);
}

function showWaiting(session: SessionAnswer, now: number): string {
  const { last_used_at } = session;
  return last_used_at === null ? '' : showAge(endOf(session, now) - Date.parse(last_used_at));
}

function describeSaving(finding: FindingsAnswer['findings'][number], currency: string | null): string {
  const saving = showSavingWithHours(finding, currency);
  if (saving.most === undefined) return 'Too little is known to say what it saves.';
  return `Saves in 30 days: ${saySaving(saving)}.`;
}
