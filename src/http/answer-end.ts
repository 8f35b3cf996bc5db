import type { IncomingMessage, ServerResponse } from 'node:http';

/**
 * Calls `onEnd` once: when all bytes of the answer were handed to the system, or its connection is gone. Node tells that
 * to the first of several answers on a connection alone.
 *
 * @returns what to call when it shall not be called any more.
 */
export function whenEnded(
  { socket }: IncomingMessage,
  response: ServerResponse,
  onEnd: () => void,
): () => void {
  let isForgotten = false;
  const forget = () => {
    isForgotten = true;
    response.off('close', end);
    socket.off('close', end);
  };
  // Closing the one closes the other, whose listeners were already chosen.
  const end = () => {
    if (isForgotten) return;
    forget();
    onEnd();
  };
  response.once('close', end);
  socket.once('close', end);
  if (response.closed || socket.destroyed) end();
  return forget;
}
