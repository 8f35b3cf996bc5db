import type { Random } from '../../../src/simulator/model/random.ts';
import { instant, minute, second, type WireItem, wireKey } from '../../support/reading-builder.ts';

interface Key {
  readonly id: number;
  readonly createdAt: number;
  name: string;
  use?: { readonly at: number; readonly address: string };
}

const addresses = ['192.0.2.1', '192.0.2.2', '2001:db8::5c'] as const;

/** API keys of an account that are made, used, renamed and revoked by chance. */
export class KeyLife {
  readonly #random: Random;
  readonly #keys: Key[] = [];
  #made = 0;

  constructor(random: Random) {
    this.#random = random;
  }

  /** What happens in the hour before an instant. */
  live(at: number): void {
    const random = this.#random;
    const earlier = () => at - random.integer(1, 59) * minute - random.integer(0, 59) * second;
    if (this.#made < 4 || random.chance(0.1)) {
      this.#made += 1;
      this.#keys.push({ id: this.#made, createdAt: at - 60 * minute, name: `key ${this.#made}` });
    }
    for (const key of this.#keys) {
      const usual = addresses[key.id % 3] ?? addresses[0];
      // Some are used often, some hardly ever, one in four never.
      if (random.chance([0, 0.05, 0.2, 0.6][key.id % 4] ?? 0))
        key.use = { at: earlier(), address: random.chance(0.9) ? usual : random.pick(addresses) };
      if (random.chance(0.02)) key.name = `${key.name} again`;
    }
    if (random.chance(0.1)) this.#keys.splice(random.integer(0, this.#keys.length - 1), 1);
  }

  /** As the service lists them. */
  list(): readonly WireItem[] {
    return this.#keys.map(({ id, name, createdAt, use }) =>
      wireKey(id, {
        ...{
          name,
          created_at: instant(createdAt),
          created_by: { id: `u${id % 3}`, name: `Person ${id % 3}` },
        },
        ...(use && { last_used_at: instant(use.at), last_used_from_addr: use.address }),
      }),
    );
  }
}
