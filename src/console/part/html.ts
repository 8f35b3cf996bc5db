import htm from 'htm';
import { type ComponentChildren, h, type VNode } from 'preact';

/** Content of an element. */
export type Content = ComponentChildren;
export type Markup = VNode;

/** Markup from a template; every value in it is text, whatever it holds, unless it is markup itself. */
export const html = htm.bind(h) as (strings: TemplateStringsArray, ...values: unknown[]) => Markup;
