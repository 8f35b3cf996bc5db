import { namesOf } from '../../resources/declared-field.ts';
import { type EndpointView, endpointItem } from '../../resources/endpoint.ts';
import { projectItem } from '../../resources/project.ts';
import type { StoredProject } from './stored-project.ts';

const projectTexts = namesOf(projectItem.fields, ({ isShared }) => isShared === true);
const endpointTexts = namesOf(endpointItem.fields, ({ isShared }) => isShared === true);
const operationTexts = ['action', 'status'] as const;
const durationTexts = ['state'] as const;

/** More than these fields have of them; a service that never repeats itself must not have all of it kept twice. */
const mostTexts = 10_000;

/** Texts that many projects have in common: each is kept once, however often it was read. */
export class SharedText {
  readonly #texts = new Map<string, string>();

  /**
   * Puts the texts that are kept in the place of those of a project, which are the same.
   *
   * @param known the project as it was before: what it has in common with that was shared then.
   */
  shareAll({ project, endpoints, operations }: StoredProject, known?: StoredProject): void {
    if (project !== known?.project) this.#share(project, projectTexts);
    if (endpoints !== known?.endpoints) for (const endpoint of endpoints) this.#shareEndpoint(endpoint);
    if (operations === undefined || operations === known?.operations) return;
    const { ended, attemptFailures, inProgress } = operations;
    for (const each of [...ended, ...attemptFailures, ...inProgress]) this.#share(each, operationTexts);
  }

  #shareEndpoint(endpoint: EndpointView): void {
    this.#share(endpoint, endpointTexts);
    for (const each of endpoint.stateDurations ?? []) this.#share(each, durationTexts);
  }

  #share<Key extends string>(item: { readonly [key in Key]?: unknown }, keys: readonly Key[]): void {
    const texts: { [key in Key]?: unknown } = item;
    for (const key of keys) {
      const text = item[key];
      if (typeof text === 'string') texts[key] = this.#kept(text);
    }
  }

  #kept(text: string): string {
    const kept = this.#texts.get(text);
    if (kept !== undefined) return kept;
    if (this.#texts.size >= mostTexts) this.#texts.clear();
    this.#texts.set(text, text);
    return text;
  }
}
