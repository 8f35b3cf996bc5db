import type { DrawContext } from '../../page.ts';
import { card } from '../../part/card.ts';
import { showQuantity } from '../../part/forecast-table.ts';
import { html, type Markup } from '../../part/html.ts';
import { ago, clock } from '../../part/instant.ts';
import { showNumber } from '../../part/number.ts';
import { headlineOf, showSaving } from '../../part/saving.ts';
import type { ProjectAnswer, ProjectQuery } from './project-schema.ts';

/** The answers to the first questions: what runs, what it costs, and what could be saved. */
export function drawGlance(project: ProjectAnswer, context: DrawContext<ProjectQuery>): Markup {
  return html`<div class="cards">${drawRunning(project, context)}${drawCost(project)}${drawSaving(project)}</div>`;
}

function drawRunning(
  { endpoints }: ProjectAnswer,
  { now, staleAt }: DrawContext<ProjectQuery>,
): Markup | null {
  const present = endpoints.filter(({ gone_at }) => gone_at === null);
  const active = present.filter(({ state }) => state === 'active');
  const lastUsed = present.flatMap(({ last_active }) => last_active ?? []).toSorted();
  if (present.length === 0) return null;
  const count = `${showNumber(active.length)} of ${showNumber(present.length)} active`;
  const [title, href] = ['Endpoints now', '#endpoints'];
  if (staleAt !== null)
    return card({ title, href, figure: 'not known', detail: html`${count} at ${clock(staleAt, now)}` });
  return card({
    ...{ title, href, figure: count },
    detail: html`last used ${ago(lastUsed.at(-1) ?? null, now)}`,
  });
}

function drawCost({ forecast }: ProjectAnswer): Markup | null {
  const [first] = forecast?.quantities ?? [];
  if (first === undefined) return null;
  const { what, so_far, expected } = first;
  const noun = what === 'cost' ? '' : ' hours';
  return card({
    title: `${what === 'cost' ? 'Cost' : 'Compute'} of this billing period`,
    href: '#forecast',
    figure: so_far === null ? 'not known' : `${showQuantity(so_far, first)}${noun}`,
    detail:
      expected === null
        ? 'What it will come to is not known yet.'
        : `${showQuantity(expected, first)}${noun} expected at its end`,
  });
}

function drawSaving({ findings }: ProjectAnswer): Markup | null {
  const { pending, as_of, currency } = findings;
  const count = findings.findings.length;
  if (pending || as_of === null) return null;
  const { figure, words } = headlineOf(showSaving(findings, currency));
  return card({
    title: 'Could be saved',
    href: '#findings',
    figure: count === 0 ? 'nothing found' : figure,
    detail: count === 0 ? '' : `${words}, by ${showNumber(count)} finding${count === 1 ? '' : 's'}`,
  });
}
