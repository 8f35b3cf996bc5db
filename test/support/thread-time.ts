/** Milliseconds of processor time this thread has taken: what else a busy machine does is not in it. */
export function threadMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}
