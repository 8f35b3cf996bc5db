import type { EncodedPage } from '../page/page-set.ts';

/** A page that many responses share. Once it was replaced and the last of them was sent, its memory is given back. */
export class SharedPage {
  readonly page: EncodedPage;
  readonly #giveBack: (memory: ArrayBuffer) => void;
  #users = 0;
  #replaced = false;

  constructor(page: EncodedPage, giveBack: (memory: ArrayBuffer) => void) {
    this.page = page;
    this.#giveBack = giveBack;
  }

  /** @returns what to call when the bytes are needed no more; until then they stay as they are. */
  use(): () => void {
    this.#users += 1;
    let used = true;
    return () => {
      if (!used) return;
      used = false;
      this.#users -= 1;
      this.#settle();
    };
  }

  /** Another page is published: no further response will use this one. */
  replace(): void {
    this.#replaced = true;
    this.#settle();
  }

  #settle(): void {
    if (this.#replaced && this.#users === 0) this.#giveBack(this.page.gzip.buffer);
  }
}
