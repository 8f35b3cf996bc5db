import { dayMs, hourMs } from '../../resources/duration.ts';
import type { Project } from '../../resources/project.ts';
import type { CpuSource, CpuSourceChoice } from '../../resources/project-usage.ts';

/** Lists in a row without any `cpu_used_sec` that say that the service does not tell it there. */
const silentLists = 3;
/** Time without growth in lists, while endpoints are awake, after which lists do not tell what is used. */
const stillMs = hourMs;
/** Answers in a row without the use of a project that say that the service does not tell it there either. */
const untoldAnswers = 3;
/** Time for which it is left alone from then on. */
const restMs = dayMs;

interface CpuSourceOptions {
  readonly choice: CpuSourceChoice;
  /** As an earlier run left it. */
  readonly known: CpuSource | undefined;
  /** Whether projects are polled one by one at all. */
  readonly readsProjects: boolean;
}

/** How the question for the use of a project ended: `untold` where it was answered without. */
export type UseAnswer = 'told' | 'untold' | 'failed';

/** Decides where the use of an account's projects is read. Instants are epoch milliseconds of a clock that never steps. */
export class CpuSourceWatch {
  readonly #choice: CpuSourceChoice;
  readonly #readsProjects: boolean;
  /** What the lists say while that is what decides. */
  #found: CpuSource;
  /** Ids of projects with an endpoint that was not at rest when it was last read. */
  readonly #awake = new Set<string>();
  #listed = { projects: 0, shown: 0, sec: 0 };
  #silentLists = 0;
  #lastSec: number | undefined;
  /** Since when no list showed growth while an endpoint was awake. */
  #stillSince: number | undefined;
  #asking = 0;
  #hasTold = false;
  #untold = 0;
  #restsUntil: number | undefined;

  constructor({ choice, known = 'list', readsProjects }: CpuSourceOptions) {
    this.#choice = choice;
    this.#readsProjects = readsProjects;
    this.#found = known;
  }

  get current(): CpuSource {
    if (!this.#readsProjects || this.#restsUntil !== undefined) return 'list';
    return this.#choice === 'auto' ? this.#found : this.#choice;
  }

  beginList(): void {
    this.#listed = { projects: 0, shown: 0, sec: 0 };
  }

  notePage(projects: readonly Project[]): void {
    const { projects: before, shown, sec } = this.#listed;
    const values = projects.flatMap(({ cpu_used_sec }) => cpu_used_sec ?? []);
    this.#listed = {
      projects: before + projects.length,
      shown: shown + values.length,
      sec: values.reduce((sum, value) => sum + value, sec),
    };
  }

  /**
   * Ends a list that was read to its end.
   *
   * @param isWatched whether a project is one of the account's still.
   */
  endList(isWatched: (project_id: string) => boolean, now: number): void {
    const { projects, shown, sec } = this.#listed;
    for (const project_id of this.#awake) if (!isWatched(project_id)) this.#awake.delete(project_id);
    this.#silentLists = projects > 0 && shown === 0 ? this.#silentLists + 1 : 0;
    // Projects come and go too: then it says nothing either way.
    const isStill = sec === this.#lastSec && this.#awake.size > 0 && shown > 0;
    this.#lastSec = sec;
    this.#stillSince = isStill ? (this.#stillSince ?? now) : undefined;
    const isLongStill = this.#stillSince !== undefined && now - this.#stillSince >= stillMs;
    if (this.#silentLists >= silentLists || isLongStill) this.#found = 'project';
    if (this.#restsUntil !== undefined && now >= this.#restsUntil) this.#restsUntil = undefined;
  }

  /** Notes whether an endpoint of a project is awake. */
  noteAwake(project_id: string, isAwake: boolean): void {
    if (isAwake) this.#awake.add(project_id);
    else this.#awake.delete(project_id);
  }

  /**
   * Begins to ask for the use of a project itself; `end` must follow.
   *
   * @returns whether it may be asked for now: one at a time until the service told it once.
   */
  begin(): boolean {
    if (!this.#hasTold && this.#asking > 0) return false;
    this.#asking += 1;
    return true;
  }

  /** Ends a question. Where the use is not told again and again, it is not asked for any more for a while. */
  end(outcome: UseAnswer, now: number): void {
    this.#asking -= 1;
    if (outcome === 'failed') return;
    this.#hasTold ||= outcome === 'told';
    this.#untold = outcome === 'told' ? 0 : this.#untold + 1;
    if (this.#untold < untoldAnswers) return;
    this.#untold = 0;
    this.#hasTold = false;
    this.#restsUntil = now + restMs;
  }
}
