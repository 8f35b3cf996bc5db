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

/** Things that wait to be tried again, in the order in which they may be. */
export class RetryQueue<Item> {
  /** The one that may be first is last: taking it out moves none. */
  #waiting: Waiting<Item>[] = [];
  readonly #items = new Set<Item>();

  get size(): number {
    return this.#waiting.length;
  }

  has(item: Item): boolean {
    return this.#items.has(item);
  }

  /** Adds an item that is not waiting yet; `retryAt` in epoch milliseconds. */
  push(item: Item, retryAt: number): void {
    this.#items.add(item);
    let [from, until] = [0, this.#waiting.length];
    while (from < until) {
      const middle = (from + until) >> 1;
      if ((this.#waiting[middle]?.retryAt ?? retryAt) > retryAt) from = middle + 1;
      else until = middle;
    }
    this.#waiting.splice(from, 0, { item, retryAt });
  }

  peek(): Waiting<Item> | undefined {
    return this.#waiting.at(-1);
  }

  pop(): Item | undefined {
    const first = this.#waiting.pop();
    if (first !== undefined) this.#items.delete(first.item);
    return first?.item;
  }

  /** Lets items that `may` be tried from `retryAt` on, unless they may be before. */
  hasten(retryAt: number, may: (item: Item) => boolean): void {
    this.#waiting = this.#waiting
      .map(each => (may(each.item) ? { ...each, retryAt: Math.min(each.retryAt, retryAt) } : each))
      .sort((one, other) => other.retryAt - one.retryAt);
  }
}
