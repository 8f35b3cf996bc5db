import * as v from 'valibot';
import { fillTemplate, type LinkTemplates, type LinkThing } from '../resources/link-template.ts';
import { html, type Markup } from './part/html.ts';
import { shownName } from './part/shown-text.ts';

/** Links to pages of others, as the section `links` of the configuration has them. */
export const outerLinksField = v.array(
  v.object({
    of: v.picklist(['project', 'endpoint', 'branch', 'operation']),
    title: v.string(),
    href: v.string(),
  }),
);
type OuterLinks = v.InferOutput<typeof outerLinksField>;

/** The links of some things, each with the values that are known of all of them. */
export function outerLinksOf(
  templates: LinkTemplates,
  things: readonly LinkThing[],
  values: Readonly<Record<string, string | null | undefined>>,
): OuterLinks {
  return things.flatMap(thing =>
    templates[thing].flatMap(({ title, template }) => {
      const href = fillTemplate(template, values);
      return href === undefined ? [] : [{ of: thing, title, href }];
    }),
  );
}

/** Links as buttons; the page of another site is not told where its reader comes from. */
export function drawOuterLinks(links: OuterLinks): readonly Markup[] {
  return links.map(
    ({ of, title, href }) =>
      html`<a class="btn" href=${href} rel="noreferrer" title=${`The ${of}`}>${shownName(title)}</a>`,
  );
}
