/** The things that pages of others are linked for. */
export const linkThings = ['project', 'endpoint', 'branch', 'operation'] as const;
export type LinkThing = (typeof linkThings)[number];

/** The values that an address can have, by what it is of. */
export const linkValues = {
  project: ['account', 'project_id'],
  endpoint: ['account', 'project_id', 'endpoint_id', 'branch_id'],
  branch: ['account', 'project_id', 'branch_id'],
  operation: ['account', 'project_id', 'endpoint_id', 'branch_id', 'operation_id'],
} as const satisfies Readonly<Record<LinkThing, readonly string[]>>;

/** Links to the vendor's console, to Grafana and the like, by what they are of. */
export type LinkTemplates = Readonly<
  Record<LinkThing, readonly { readonly title: string; readonly template: string }[]>
>;

/** An address with its values in place of their names in braces; undefined where it has one that is not known. */
export function fillTemplate(
  template: string,
  values: Readonly<Record<string, string | null | undefined>>,
): string | undefined {
  let isWhole = true;
  const filled = template.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = Object.hasOwn(values, name) ? values[name] : undefined;
    if (value === null || value === undefined || value === '') isWhole = false;
    return encodeURIComponent(value ?? '');
  });
  return isWhole ? filled : undefined;
}
