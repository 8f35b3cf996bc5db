import { openGzip } from '../page/gzip.ts';
import type { EncodedPage } from '../page/page-set.ts';

/** A page that many answers share. Once it was replaced and the last of them was sent, its memory is given back. */
export class SharedPage {
  readonly page: EncodedPage;
  readonly #giveBack: (memory: ArrayBuffer) => void;
  #plain: Promise<Buffer> | undefined;
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

  /** Decompressed once for all who take no gzip; hardly any scraper does. */
  plain(): Promise<Buffer> {
    if (this.#plain === undefined) {
      const done = this.use();
      this.#plain = openGzip(this.page.gzip, this.page.bytes).finally(done);
    }
    return this.#plain;
  }

  /** Ends its use for new answers. */
  replace(): void {
    this.#replaced = true;
    this.#settle();
  }

  #settle(): void {
    if (this.#replaced && this.#users === 0) this.#giveBack(this.page.gzip.buffer);
  }
}
