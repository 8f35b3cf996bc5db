/** The links of something that can wait in a queue, in one at a time; the queue alone writes them. */
export interface QueueMember<Member> {
  queue: { remove(member: Member): void } | undefined;
  before: Member | undefined;
  after: Member | undefined;
}

/** A queue that anything can leave from anywhere at once, however long it is: who joined first is `first`. */
export class Queue<Member extends QueueMember<Member>> {
  #first: Member | undefined;
  #last: Member | undefined;
  #size = 0;

  get first(): Member | undefined {
    return this.#first;
  }

  get size(): number {
    return this.#size;
  }

  /** Joins at the end, leaving the queue it stood in. */
  push(member: Member): void {
    member.queue?.remove(member);
    member.queue = this;
    member.before = this.#last;
    if (this.#last === undefined) this.#first = member;
    else this.#last.after = member;
    this.#last = member;
    this.#size += 1;
  }

  /** Joins at the front when it goes before who is first, else at the end. */
  join(member: Member, goesBefore: (member: Member, first: Member) => boolean): void {
    const first = this.#first;
    if (first === undefined || !goesBefore(member, first)) {
      this.push(member);
      return;
    }
    member.queue?.remove(member);
    member.queue = this;
    member.after = first;
    first.before = member;
    this.#first = member;
    this.#size += 1;
  }

  remove(member: Member): void {
    if (member.queue !== this) return;
    const { before, after } = member;
    if (before === undefined) this.#first = after;
    else before.after = after;
    if (after === undefined) this.#last = before;
    else after.before = before;
    member.queue = undefined;
    member.before = undefined;
    member.after = undefined;
    this.#size -= 1;
  }
}

interface Waiting<Item> {
  readonly item: Item;
  readonly retryAt: number;
}

/** Things that wait to be tried again, the one that may be first on top: a binary heap. */
export class RetryQueue<Item> {
  #heap: Waiting<Item>[] = [];
  readonly #items = new Set<Item>();

  get size(): number {
    return this.#heap.length;
  }

  has(item: Item): boolean {
    return this.#items.has(item);
  }

  /** Adds an item that is not waiting yet; `retryAt` in epoch milliseconds. */
  push(item: Item, retryAt: number): void {
    this.#items.add(item);
    const heap = this.#heap;
    let at = heap.length;
    const added = { item, retryAt };
    heap.push(added);
    while (at > 0) {
      const parentAt = (at - 1) >> 1;
      const parent = heap[parentAt];
      if (parent === undefined || parent.retryAt <= retryAt) break;
      heap[at] = parent;
      at = parentAt;
    }
    heap[at] = added;
  }

  peek(): Waiting<Item> | undefined {
    return this.#heap[0];
  }

  pop(): Item | undefined {
    const heap = this.#heap;
    const top = heap[0];
    const last = heap.pop();
    if (last !== undefined && heap.length > 0) this.#sink(last);
    if (top !== undefined) this.#items.delete(top.item);
    return top?.item;
  }

  /** Lets items that `may` be tried from `retryAt` on, unless they may be before. */
  hasten(retryAt: number, may: (item: Item) => boolean): void {
    const waiting = this.#heap;
    this.#heap = [];
    for (const { item, retryAt: ownAt } of waiting) {
      this.push(item, may(item) ? Math.min(ownAt, retryAt) : ownAt);
    }
  }

  #sink(sinking: Waiting<Item>): void {
    const heap = this.#heap;
    let at = 0;
    for (;;) {
      const left = heap[2 * at + 1];
      const right = heap[2 * at + 2];
      const isRight = right !== undefined && left !== undefined && right.retryAt < left.retryAt;
      const child = isRight ? right : left;
      if (child === undefined || child.retryAt >= sinking.retryAt) break;
      heap[at] = child;
      at = 2 * at + (isRight ? 2 : 1);
    }
    heap[at] = sinking;
  }
}
