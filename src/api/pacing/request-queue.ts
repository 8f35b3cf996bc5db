/**
 * `urgent`: polling a project to which something just happened. `list`: the account's own lists, which tell what
 * changed. `refresh`: polling a project again.
 */
export type Priority = 'urgent' | 'list' | 'refresh';

/** So many others pass in a row before a waiting refresh does. */
const othersInARow = 4;
/** So many urgent ones pass in a row before a waiting list does. */
const urgentInARow = 3;

/** Requests that wait: urgent ones first, then lists, each kind in order of arrival, none starved. */
export class RequestQueue<Waiter> {
  readonly #waiters: Readonly<Record<Priority, Set<Waiter>>> = {
    urgent: new Set(),
    list: new Set(),
    refresh: new Set(),
  };
  #passedOthers = 0;
  #passedUrgent = 0;

  get size(): number {
    const { urgent, list, refresh } = this.#waiters;
    return urgent.size + list.size + refresh.size;
  }

  add(priority: Priority, waiter: Waiter): void {
    this.#waiters[priority].add(waiter);
  }

  remove(priority: Priority, waiter: Waiter): void {
    this.#waiters[priority].delete(waiter);
  }

  /** Takes out the one that passes next. */
  next(): Waiter | undefined {
    const { list, refresh } = this.#waiters;
    const priority = this.#nextPriority();
    this.#passedOthers = priority !== 'refresh' && refresh.size > 0 ? this.#passedOthers + 1 : 0;
    this.#passedUrgent = priority === 'urgent' && list.size > 0 ? this.#passedUrgent + 1 : 0;
    const waiters = this.#waiters[priority];
    const [first] = waiters;
    if (first !== undefined) waiters.delete(first);
    return first;
  }

  /** Takes note of one that passed without waiting: nobody was passed over. */
  skip(): void {
    this.#passedOthers = 0;
    this.#passedUrgent = 0;
  }

  /** Takes out all, by priority. */
  takeAll(): readonly Waiter[] {
    const sets = Object.values(this.#waiters);
    const waiters = sets.flatMap(set => [...set]);
    for (const set of sets) set.clear();
    return waiters;
  }

  #nextPriority(): Priority {
    const { urgent, list, refresh } = this.#waiters;
    if (refresh.size > 0 && this.#passedOthers >= othersInARow) return 'refresh';
    if (list.size > 0 && this.#passedUrgent >= urgentInARow) return 'list';
    if (urgent.size > 0) return 'urgent';
    return list.size > 0 ? 'list' : 'refresh';
  }
}
