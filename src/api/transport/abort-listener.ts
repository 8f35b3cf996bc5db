interface Listening {
  readonly handlers: Set<() => void>;
  readonly listener: () => void;
}

const listeningTo = new WeakMap<AbortSignal, Listening>();

/**
 * Calls `handle` once when the signal aborts. Hundreds of requests are under way under one signal, and a signal looks
 * through all its listeners for each that comes and goes: so they share one.
 *
 * @returns ends the listening when it is called.
 */
export function listenForAbort(signal: AbortSignal, handle: () => void): () => void {
  const { handlers, listener } = listeningTo.get(signal) ?? listenTo(signal);
  // Wrapped, so that each call has an entry of its own.
  const entry = () => handle();
  handlers.add(entry);
  return () => {
    handlers.delete(entry);
    if (handlers.size > 0 || !listeningTo.delete(signal)) return;
    signal.removeEventListener('abort', listener);
  };
}

function listenTo(signal: AbortSignal): Listening {
  const handlers = new Set<() => void>();
  const listener = () => {
    listeningTo.delete(signal);
    for (const handle of handlers) handle();
  };
  const listening = { handlers, listener };
  listeningTo.set(signal, listening);
  signal.addEventListener('abort', listener, { once: true });
  return listening;
}
