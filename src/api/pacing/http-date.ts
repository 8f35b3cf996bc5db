const httpDate = /^(mon|tue|wed|thu|fri|sat|sun)[a-z]*,? /i;

/** Reads a date of an HTTP header (RFC 9110, section 5.6.7, all three forms) in epoch milliseconds; undefined when it is none. */
export function parseHttpDate(text: string): number | undefined {
  if (!httpDate.test(text)) return undefined;
  // The asctime form names no zone and means GMT, where Date.parse would take the zone of this machine.
  const at = Date.parse(/GMT\s*$/i.test(text) ? text : `${text} GMT`);
  return Number.isNaN(at) ? undefined : at;
}
