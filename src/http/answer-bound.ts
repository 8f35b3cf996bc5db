import type { TurnedAwayReason } from '../resources/web-access.ts';

/** Memory that answers share. */
export interface SharedMemory {
  readonly byteLength: number;
}

/** An answer under way. */
interface BoundAnswer {
  /** Says what memory it is sent from. */
  hold(memory: SharedMemory): void;
  /** Takes down that it is over, however it ended. */
  end(): void;
}

interface UnderWay {
  readonly since: number;
  readonly cut: () => void;
  memory?: SharedMemory;
}

interface AnswerBounds {
  readonly mostAnswers: number;
  /** The most memory that all answers together are sent from, unless two pages have more. */
  readonly mostBytes: number;
}

/** An answer that takes longer is not waited for when its place is wanted. */
const patienceMs = 2000;
/** A reader of a page that is large alone goes on while the next one is sent. */
const leastPages = 2;

/**
 * Keeps answers with a large page within bounds: their number, and the memory they are sent from in all. The oldest gives
 * way, whose reader takes longest.
 */
export class AnswerBound {
  readonly #bounds: AnswerBounds;
  readonly #onTurnedAway: (reason: TurnedAwayReason) => void;
  readonly #now: () => number;
  /** The oldest first. */
  readonly #underWay = new Set<UnderWay>();

  /** @param now milliseconds of a clock that never steps. */
  constructor(bounds: AnswerBounds, onTurnedAway: (reason: TurnedAwayReason) => void, now: () => number) {
    this.#bounds = bounds;
    this.#onTurnedAway = onTurnedAway;
    this.#now = now;
  }

  /**
   * Undefined where too many are under way.
   *
   * @param cut ends the answer before it was sent.
   */
  begin(cut: () => void): BoundAnswer | undefined {
    if (this.#underWay.size >= this.#bounds.mostAnswers && !this.#makeRoom()) {
      this.#onTurnedAway('too_many_answers');
      return undefined;
    }
    const answer: UnderWay = { since: this.#now(), cut };
    this.#underWay.add(answer);
    return {
      hold: memory => this.#hold(answer, memory),
      end: () => void this.#underWay.delete(answer),
    };
  }

  #makeRoom(): boolean {
    const [oldest] = this.#underWay;
    if (oldest === undefined || this.#now() - oldest.since <= patienceMs) return false;
    this.#cut(oldest);
    return true;
  }

  #hold(answer: UnderWay, memory: SharedMemory): void {
    if (!this.#underWay.has(answer)) return;
    answer.memory = memory;
    const mostBytes = Math.max(this.#bounds.mostBytes, leastPages * memory.byteLength);
    for (const older of this.#underWay) {
      if (this.#heldBytes() <= mostBytes) return;
      if (older.memory !== undefined && older.memory !== memory) this.#cut(older);
    }
  }

  #heldBytes(): number {
    const held = new Set([...this.#underWay].flatMap(({ memory }) => memory ?? []));
    return [...held].reduce((sum, { byteLength }) => sum + byteLength, 0);
  }

  #cut(answer: UnderWay): void {
    this.#onTurnedAway('too_slow');
    this.#underWay.delete(answer);
    answer.cut();
  }
}
