import type { Collector } from '../resources/collector.ts';
import type { AccountSource } from './account-source.ts';

/** A project that the service says does not exist. */
interface MissingProject {
  readonly project_id: string;
  /** The question: endpoints or operations. */
  readonly collector: Collector;
  /** Another project of the account; undefined where there is none. */
  readonly neighbour: string | undefined;
}

/**
 * Tells a project that was deleted from a service, or a gateway before it, that finds nothing at all: a project is gone
 * when another one still answers the same question.
 */
export class NeighbourCheck {
  /** The two projects that answered last, newest first. */
  readonly #answered = new Map<Collector, readonly string[]>();
  /** Questions that no neighbour answered either; asked of a neighbour again once a project answered. */
  readonly #unanswered = new Set<Collector>();

  /** A project answered. */
  noteAnswer(collector: Collector, project_id: string): void {
    this.#unanswered.delete(collector);
    const before = this.#answered.get(collector)?.[0];
    if (before === project_id) return;
    this.#answered.set(collector, before === undefined ? [project_id] : [project_id, before]);
  }

  /** Whether another project still answers. Throws a fault of our own, or the signal's reason. */
  async isGone(missing: MissingProject, source: AccountSource, signal: AbortSignal): Promise<boolean> {
    const { collector, project_id } = missing;
    if (this.#unanswered.has(collector)) return false;
    const answered = this.#answered.get(collector)?.find(id => id !== project_id);
    const neighbour = answered ?? missing.neighbour;
    if (neighbour === undefined) return false;
    try {
      await ask(source, collector, neighbour, signal);
      return true;
    } catch (error) {
      signal.throwIfAborted();
      if (source.reasonOf(error) === 'internal') throw error;
      this.#unanswered.add(collector);
      return false;
    }
  }
}

async function ask(
  source: AccountSource,
  collector: Collector,
  project_id: string,
  signal: AbortSignal,
): Promise<void> {
  if (collector === 'endpoints') await source.endpoints(project_id, signal);
  else for await (const _ of source.operationPages(project_id, { limit: 1 }, signal)) return;
}
