/**
 * Keeps what is made of a look at a history, by key: what several reports of one look rest on is made once. It is let go with the
 * look.
 */
export function oncePerLook<Key, Made>(): (look: object, key: Key, make: () => Made) => Made {
  const looks = new WeakMap<object, Map<Key, Made>>();
  return (look, key, make) => {
    const known = looks.get(look) ?? new Map<Key, Made>();
    looks.set(look, known);
    const found = known.get(key);
    if (found !== undefined) return found;
    const made = make();
    known.set(key, made);
    return made;
  };
}
