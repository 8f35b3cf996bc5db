interface Listening {
  readonly heeders: Set<() => void>;
  readonly listener: () => void;
}

const listeningTo = new WeakMap<AbortSignal, Listening>();

/**
 * Calls `heed` once when the signal aborts. Hundreds of requests are under way under one signal, and a signal looks
 * through all its listeners for each that comes and goes: so they share one.
 *
 * @returns what to call when it need not be heeded any more.
 */
export function listenForAbort(signal: AbortSignal, heed: () => void): () => void {
  const { heeders, listener } = listeningTo.get(signal) ?? listenTo(signal);
  // Wrapped, so that each call has an entry of its own.
  const entry = () => heed();
  heeders.add(entry);
  return () => {
    heeders.delete(entry);
    if (heeders.size > 0 || !listeningTo.delete(signal)) return;
    signal.removeEventListener('abort', listener);
  };
}

function listenTo(signal: AbortSignal): Listening {
  const heeders = new Set<() => void>();
  const listener = () => {
    listeningTo.delete(signal);
    for (const heed of heeders) heed();
  };
  const listening = { heeders, listener };
  listeningTo.set(signal, listening);
  signal.addEventListener('abort', listener, { once: true });
  return listening;
}
