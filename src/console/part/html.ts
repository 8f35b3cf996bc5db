import htm from 'htm';
import { type ComponentChildren, h, type VNode } from 'preact';

/** Content of an element. */
export type Content = ComponentChildren;
export type Markup = VNode;

/** An element is made for each template anew: one that was drawn refers to all of the page it was on. */
function makeElement(this: Record<number, number>, ...made: Parameters<typeof h>): Markup {
  // The mark by which htm keeps no element.
  this[0] = 3;
  return h(...made);
}

/** Markup from a template; every value in it is text, whatever it holds, unless it is markup itself. */
export const html = htm.bind(makeElement) as (strings: TemplateStringsArray, ...values: unknown[]) => Markup;
