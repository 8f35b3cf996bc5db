import { sumOf } from '../../../resources/sum.ts';
import { drawOuterLinks } from '../../outer-link.ts';
import type { DrawContext, PageHead } from '../../page.ts';
import { addressOf, operationPath } from '../../part/address.ts';
import { bullet, spark } from '../../part/chart/spark.ts';
import { countOf } from '../../part/count-word.ts';
import { showQuantity } from '../../part/forecast-table.ts';
import { type Content, html, type Markup } from '../../part/html.ts';
import { icon } from '../../part/icon.ts';
import { ago, clock, instant, sayNewest, showAge } from '../../part/instant.ts';
import { showHours, showNumber, showShare } from '../../part/number.ts';
import { shownName } from '../../part/shown-text.ts';
import { savingTile, type Tile, tileStrip, weakCents } from '../../part/tile.ts';
import type { ProjectAnswer, ProjectQuery } from './project-schema.ts';

type Context = DrawContext<ProjectQuery>;

/** What it is and how it stands, before all figures. */
export function drawProjectHead(project: ProjectAnswer, context: Context): PageHead {
  const { account, groups, endpoints, links, gone_at } = project;
  const awake = endpoints.filter(({ gone_at: gone, state }) => gone === null && state === 'active').length;
  const stuck = stuckOf(project).length;
  return {
    crumb: html`<a href="/projects">Projects</a> / <a href=${addressOf('/projects', { account })}>${shownName(account)}</a>`,
    marks: html`${stuck > 0 && html`<span class="pill crit">${icon('crit')}${stuck} stuck</span>`}${gone_at === null ? html`${drawAwake(awake > 0, context)}` : html`<span class="pill">gone</span>`}${groups.map(group => html`<a class="tag" href=${addressOf('/projects', { group })}>${shownName(group.replace('/', ' '))}</a>`)}`,
    lead: sayState(project, context),
    hasStates: true,
    ...(links.length > 0 && { actions: drawOuterLinks(links) }),
  };
}

function drawAwake(isAwake: boolean, { staleAt }: Context): Markup {
  if (staleAt !== null) return html`<span class="pill warn">no reading</span>`;
  return html`<span class="pill"><i class=${isAwake ? 'dot' : 'dot off'}></i>${isAwake ? 'awake' : 'asleep'}</span>`;
}

function stuckOf({ open_operations }: ProjectAnswer) {
  return open_operations.filter(({ outcome }) => outcome === 'stuck');
}

/** What matters most now, in one sentence. */
function sayState(project: ProjectAnswer, { now, staleAt }: Context): Content {
  if (staleAt !== null) return sayNewest(staleAt);
  const { gone_at, recoverable_until, failed_operations } = project;
  if (gone_at !== null) {
    const isRecoverable = recoverable_until !== null && Date.parse(recoverable_until) > now;
    return html`This project is gone since ${instant(gone_at)}.${isRecoverable && html` It can be recovered until ${instant(recoverable_until)}.`}`;
  }
  const [stuck] = stuckOf(project);
  if (stuck !== undefined) {
    const since = stuck.created_at === null ? '' : ` for ${showAge(now - Date.parse(stuck.created_at))}`;
    return html`<a href=${operationPath(stuck)}>${shownName(stuck.action)}</a>${stuck.endpoint_id !== null && html` of <strong>${shownName(stuck.endpoint_id)}</strong>`} has not ended${since}.`;
  }
  const [failed] = failed_operations;
  if (failed === undefined) return 'No operation failed in 30 days.';
  return html`<a href=${operationPath(failed)}>${shownName(failed.action)}</a> failed ${ago(failed.ended_at ?? failed.created_at, now)}.`;
}

/** The answers to the first questions: what runs, what it costs, what could be saved, and how often it starts. */
export function drawProjectTiles(project: ProjectAnswer, context: Context): Markup {
  return tileStrip([
    describeState(project, context),
    describeCost(project),
    describeSaving(project),
    describeStarts(project),
  ]);
}

const unknown = html`<span class="m">not known yet</span>`;

function describeState({ endpoints }: ProjectAnswer, { now, staleAt }: Context): Tile {
  const present = endpoints.filter(({ gone_at }) => gone_at === null);
  const awake = present.filter(({ state }) => state === 'active').length;
  const title = 'State';
  if (staleAt !== null) {
    const count = `${showNumber(awake)} of ${countOf(present.length, 'endpoint')} awake`;
    return { title, figure: 'not known', detail: html`${count} at ${clock(staleAt, now)}` };
  }
  const lastUsed = present.flatMap(({ last_active }) => last_active ?? []).toSorted();
  return {
    title,
    figure: html`${showNumber(awake)} <small>of ${countOf(present.length, 'endpoint')} awake</small>`,
    detail: html`Last used ${ago(lastUsed.at(-1) ?? null, now)}`,
  };
}

function describeCost({ forecast, gone_at }: ProjectAnswer): Tile {
  const [first] = forecast?.quantities ?? [];
  const isCost = first === undefined || first.what === 'cost';
  const title = `${isCost ? 'Cost' : 'Compute hours'} of the billing period`;
  if (first === undefined || first.so_far === null)
    return { title, figure: gone_at === null ? unknown : html`<span class="m">none</span>` };
  const { so_far, expected, bounds } = first;
  const show = (text: string) => showQuantity(text, first);
  return {
    title,
    figure: isCost ? weakCents(so_far, first.unit) : html`${show(so_far)} <small>h</small>`,
    ...(expected !== null && {
      drawing: bullet({
        label: `${show(so_far)} so far, ${show(expected)} expected at its end`,
        value: Number(so_far),
        expected: Number(expected),
        high: bounds === null ? undefined : Number(bounds.high80),
      }),
    }),
    detail:
      expected === null ? 'What it will come to is not known yet.' : `${show(expected)} expected at its end`,
  };
}

function describeSaving({ findings }: ProjectAnswer): Tile {
  const title = 'Likely saving';
  const { pending, as_of, currency } = findings;
  const count = findings.findings.length;
  if (pending || as_of === null) return { title, figure: unknown };
  if (count === 0) return { title, figure: html`<span class="m">none found</span>` };
  return savingTile(findings, currency, html`<a href="#findings">${countOf(count, 'finding')}</a>`);
}

/** Starts in the days that are shown; the operations below include the failed ones. */
function describeStarts({ use, failed_operations, timeline }: ProjectAnswer): Tile {
  const { days, steps } = use;
  const title = `Starts in ${countOf(steps.length, 'day')}`;
  if (steps.length === 0) return { title: 'Starts', figure: unknown };
  const known = new Map(days.map(each => [each.day, each.starts ?? 0]));
  const values = steps.map(({ label }) => known.get(label) ?? 0);
  const awakeMs = timeline.endpoints.reduce((sum, { awake_ms }) => sum + awake_ms, 0);
  const lifeMs = timeline.endpoints.reduce((sum, each) => sum + each.awake_ms + each.asleep_ms, 0);
  return {
    title,
    mark:
      failed_operations.length > 0 &&
      html`<span class="d warn">${countOf(failed_operations.length, 'operation')} failed</span>`,
    figure: showNumber(sumOf(values)),
    drawing: spark({ label: 'Starts of each day', values, look: 'bars', isRunning: true }),
    detail:
      lifeMs > 0
        ? `Awake for ${showShare(awakeMs / lifeMs)} of the time below`
        : use.total.compute_hours !== null && `${showHours(use.total.compute_hours)} compute hours`,
  };
}
