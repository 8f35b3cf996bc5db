/** A place that paths lead to. */
interface Place {
  readonly path: string;
  /** Below `/api/v1`. */
  readonly apiPath: string;
}

/** The place that a path leads to, with the parameters in the path. */
export interface Found<Each extends Place> {
  readonly place: Each;
  readonly parameters: Readonly<Record<string, string>>;
  /** Whether the answer itself is asked for, and not the page. */
  readonly isApi: boolean;
}

export const apiRoot = '/api/v1';

/** Finds what a path leads to; undefined where there is nothing. */
export function findPlace<Each extends Place>(
  places: readonly Each[],
  path: string,
): Found<Each> | undefined {
  const isApi = path.startsWith(`${apiRoot}/`);
  const wanted = isApi ? path.slice(apiRoot.length) : path;
  for (const place of places) {
    const parameters = matchPath(isApi ? place.apiPath : place.path, wanted);
    if (parameters !== undefined) return { place, parameters, isApi };
  }
  return undefined;
}

/** The account that a page is of, by its path or its query; empty where it is of all. */
export function accountOf(
  places: readonly Place[],
  { path, search }: { readonly path: string; readonly search: string },
): string {
  return findPlace(places, path)?.parameters.account ?? new URLSearchParams(search).get('account') ?? '';
}

function matchPath(template: string, path: string): Record<string, string> | undefined {
  const wanted = template.split('/');
  const given = path.split('/');
  if (wanted.length !== given.length) return undefined;
  const parameters: Record<string, string> = {};
  for (const [index, part] of wanted.entries()) {
    const text = given[index] ?? '';
    if (part.startsWith('{')) {
      const value = decode(text);
      if (value === undefined || value === '') return undefined;
      parameters[part.slice(1, -1)] = value;
    } else if (part !== text) return undefined;
  }
  return parameters;
}

function decode(part: string): string | undefined {
  try {
    return decodeURIComponent(part);
  } catch {
    return undefined;
  }
}
