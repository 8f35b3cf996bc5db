import { RowNumbers } from '../../merge/history-part.ts';
import type { ProjectLife } from '../../merge/project-life.ts';
import { linkLives, type SpokenTime } from '../../merge/spoken-time.ts';
import type { BrowsedPart, PartProject } from './browsed-part.ts';

/** A project in a history that speaks for it for a time. */
export interface ProjectPlace extends SpokenTime {
  readonly part: BrowsedPart;
  readonly project_ref: number;
}

type Candidate = Omit<ProjectPlace, keyof SpokenTime> & { readonly life: ProjectLife };

/** Where each project is, of several histories: those that are in more than one were moved, or one of them is a copy. */
export class ProjectPlaces {
  readonly parts: readonly BrowsedPart[];
  /** By file, so that a number stays the same while another file is not there. */
  readonly numbers: RowNumbers<string>;
  /** The places that speak for a project in more than one history, in order of time. */
  readonly #shared: ReadonlyMap<string, readonly ProjectPlace[]>;
  readonly #byNumber: ReadonlyMap<number, readonly ProjectPlace[]>;
  /** By history, rows of projects that another one speaks for by now, and those that it never speaks for. */
  readonly #former: ReadonlyMap<BrowsedPart, ReadonlySet<number>>;
  readonly #silent: ReadonlyMap<BrowsedPart, ReadonlySet<number>>;

  /** @param files all of them, those that cannot be read now too. */
  constructor(files: readonly string[], parts: readonly BrowsedPart[]) {
    this.parts = parts;
    this.numbers = new RowNumbers(files);
    const found = findShared(parts);
    this.#shared = new Map([...found].map(([key, candidates]) => [key, linkLives(candidates)]));
    this.#byNumber = new Map(
      [...this.#shared.values()].flatMap(places => places.map(place => [this.#numberOf(place), places])),
    );
    const all = [...found.values()].flat();
    const rowsOf = (part: BrowsedPart, isMeant: (each: Candidate) => boolean) =>
      new Set(all.filter(each => each.part === part && isMeant(each)).map(each => each.project_ref));
    const placesOf = (each: Candidate) => this.#byNumber.get(this.#numberOf(each));
    this.#silent = new Map(parts.map(part => [part, rowsOf(part, each => placesOf(each) === undefined)]));
    this.#former = new Map(
      parts.map(part => [part, rowsOf(part, each => placesOf(each)?.at(-1)?.part !== part)]),
    );
  }

  /** Numbers of projects in a history that another one speaks for by now. */
  formerOf(part: BrowsedPart): ReadonlySet<number> {
    return this.#former.get(part) ?? new Set();
  }

  /** Numbers of projects in a history that it never speaks for. */
  silentOf(part: BrowsedPart): ReadonlySet<number> {
    return this.#silent.get(part) ?? new Set();
  }

  /** The histories that speak for a project, by its number among all. */
  placesOf(number: number): readonly ProjectPlace[] {
    const shared = this.#byNumber.get(number);
    if (shared !== undefined) return shared;
    const { part: file, ref: project_ref } = this.numbers.rowOf(number);
    const part = this.parts.find(each => each.file === file);
    const always = { cutAt: Number.NEGATIVE_INFINITY, fromAt: Number.NEGATIVE_INFINITY };
    return part === undefined ? [] : [{ part, project_ref, ...always, untilAt: Number.POSITIVE_INFINITY }];
  }

  /** The histories after one that speak for a project of it. */
  laterThan(part: BrowsedPart, project_ref: number): readonly ProjectPlace[] {
    if (!this.formerOf(part).has(project_ref)) return [];
    const places = this.#byNumber.get(this.#numberOf({ part, project_ref })) ?? [];
    return places.slice(places.findIndex(place => place.part === part) + 1);
  }

  /** Whether a project is in several histories. */
  isShared(project: Omit<PartProject, 'project_ref'>): boolean {
    return this.#shared.has(keyOf(project));
  }

  /** Whether a history speaks at any time for a project that it knows. */
  speaks(part: BrowsedPart, project: Omit<PartProject, 'project_ref'>): boolean {
    return this.#shared.get(keyOf(project))?.some(place => place.part === part) ?? true;
  }

  /** Whether a history speaks last for a project that it knows. */
  speaksLast(part: BrowsedPart, project: Omit<PartProject, 'project_ref'>): boolean {
    const places = this.#shared.get(keyOf(project));
    return places === undefined || places.at(-1)?.part === part;
  }

  /** The number among all of a row of one history. */
  numberOf(part: BrowsedPart, ref: number): number {
    return this.numbers.numberOf({ part: part.file, ref });
  }

  #numberOf({ part, project_ref }: Pick<ProjectPlace, 'part' | 'project_ref'>): number {
    return this.numberOf(part, project_ref);
  }
}

/** The projects that several histories know. */
function findShared(parts: readonly BrowsedPart[]): ReadonlyMap<string, readonly Candidate[]> {
  const listed = parts.map(part => ({ part, projects: part.projects() }));
  const times = new Map<string, number>();
  for (const { projects } of listed)
    for (const project of projects) times.set(keyOf(project), (times.get(keyOf(project)) ?? 0) + 1);
  const candidates = listed.flatMap(({ part, projects }) => {
    const shared = projects.filter(project => (times.get(keyOf(project)) ?? 0) > 1);
    const lives = shared.length === 0 ? undefined : part.lives();
    return shared.flatMap(project =>
      (lives?.get(project.project_ref) ?? []).map(life => ({ ...project, part, life })),
    );
  });
  return Map.groupBy(candidates, keyOf);
}

function keyOf({ account, project_id }: Omit<PartProject, 'project_ref'>): string {
  return JSON.stringify([account, project_id]);
}
