/** The parts of preact and htm that are used. Their own declarations bring the globals of a browser into the whole program. */
export interface VNode {
  readonly type: unknown;
}
export type ComponentChildren =
  | VNode
  | string
  | number
  | boolean
  | null
  | undefined
  | readonly ComponentChildren[];

/** Makes an element; the `h` of preact. */
export function h(type: unknown, props: unknown, ...children: unknown[]): VNode;

/** Writes markup as HTML; of preact-render-to-string. */
export function renderToString(markup: VNode): string;

/** The default export of htm. */
declare const htm: {
  bind<Made>(
    make: (type: unknown, props: unknown, ...children: unknown[]) => Made,
  ): (strings: TemplateStringsArray, ...values: unknown[]) => Made | Made[];
};
export default htm;
