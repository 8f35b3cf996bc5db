import type { DrawContext } from '../../page.ts';
import { card } from '../../part/card.ts';
import { showQuantity } from '../../part/forecast-table.ts';
import { html, type Markup } from '../../part/html.ts';
import { ago } from '../../part/instant.ts';
import { showDecimal, showMoney, showNumber } from '../../part/number.ts';
import type { ProjectAnswer, ProjectQuery } from './project-schema.ts';

/** The answers to the first questions: what runs, what it costs, and what could be saved. */
export function drawGlance(project: ProjectAnswer, { now }: DrawContext<ProjectQuery>): Markup {
  return html`<div class="cards">${drawRunning(project, now)}${drawCost(project)}${drawSaving(project)}</div>`;
}

function drawRunning({ endpoints }: ProjectAnswer, now: number): Markup | null {
  const present = endpoints.filter(({ gone_at }) => gone_at === null);
  const active = present.filter(({ state }) => state === 'active');
  const lastUsed = present.flatMap(({ last_active }) => last_active ?? []).toSorted();
  if (present.length === 0) return null;
  return card({
    title: 'Endpoints now',
    href: '#endpoints',
    figure: `${showNumber(active.length)} of ${showNumber(present.length)} active`,
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
  const { pending, currency, cost_per_month: cost, compute_hours_per_month: hours } = findings;
  const count = findings.findings.length;
  if (pending) return null;
  const money = cost !== null && currency !== null ? showMoney(cost, currency) : undefined;
  return card({
    title: 'Could be saved',
    href: '#findings',
    figure: money ?? (hours === null ? 'nothing found' : `${showDecimal(hours)} hours`),
    detail: count === 0 ? '' : `a month, by ${showNumber(count)} finding${count === 1 ? '' : 's'}`,
  });
}
