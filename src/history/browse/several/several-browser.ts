import { secondMs } from '../../../resources/duration.ts';
import { FollowedFile, holdStill, openUsable } from '../../file/followed-file.ts';
import type { BrowsedHistory } from '../history-browser.ts';
import { type BrowsedPart, browsePart } from './browsed-part.ts';
import { ProjectPlaces } from './project-place.ts';
import { joinFailures } from './several-failures.ts';
import { joinFleets } from './several-fleet.ts';
import { joinOperations } from './several-operations.ts';
import { joinProjects } from './several-projects.ts';
import { joinClosings, joinKeys, joinMatches, joinSessions } from './several-records.ts';

/** The history that speaks for a project changes seldom: it is looked for again after so long, or more where that takes long. */
const placesFreshMs = 5 * secondMs;
const placesRestPerWork = 19;

/** Histories that somebody else writes, looked at as one; each is read as it is there at the moment, and nothing is written. */
export class SeveralBrowser {
  readonly #files: readonly FollowedFile<BrowsedPart>[];
  #known:
    | { readonly extent: string; readonly places: ProjectPlaces; readonly freshUntil: number }
    | undefined;

  /** @param files at least one. */
  constructor(files: readonly string[]) {
    this.#files = files.map(file => new FollowedFile(file, database => browsePart(file, database)));
  }

  /**
   * Looks something up; everything of one file is of one moment. A file that cannot be read is left out.
   *
   * @returns undefined where none can be read.
   */
  look<Found>(read: (history: BrowsedHistory) => Found): Found | undefined {
    const opened = openUsable(this.#files);
    if (opened.length === 0) return undefined;
    return holdStill(
      opened.map(({ database }) => database),
      () => read(browseAll(this.#place(opened.map(({ made }) => made)))),
    );
  }

  /** The files that can be read now. */
  usable(): readonly string[] {
    return openUsable(this.#files).map(({ file }) => file);
  }

  close(): void {
    for (const each of this.#files) each.close();
  }

  #place(parts: readonly BrowsedPart[]): ProjectPlaces {
    const extent = parts.map(part => `${part.file} ${part.lastProject()}`).join('\n');
    const known = this.#known;
    const beganAt = performance.now();
    const isSame =
      known?.extent === extent && known.places.parts.every((part, index) => part === parts[index]);
    if (isSame && beganAt < known.freshUntil) return known.places;
    const places = new ProjectPlaces(
      this.#files.map(({ file }) => file),
      parts,
    );
    const restMs = placesRestPerWork * (performance.now() - beganAt);
    this.#known = { extent, places, freshUntil: beganAt + Math.max(placesFreshMs, restMs) };
    return places;
  }
}

function browseAll(places: ProjectPlaces): BrowsedHistory {
  const operations = joinOperations(places);
  return {
    operations,
    closings: joinClosings(places),
    failures: joinFailures(places, operations),
    fleet: joinFleets(places),
    keys: joinKeys(places),
    matches: joinMatches(places),
    projects: joinProjects(places),
    sessions: joinSessions(places),
  };
}
