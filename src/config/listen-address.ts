/** Where the HTTP server listens; no host means every address of the machine. Port 0 lets the system choose one. */
export interface ListenAddress {
  readonly host: string | undefined;
  readonly port: number;
}

const listenPattern =
  /^(?:\[(?<six>[0-9A-Fa-f:.]+(?:%[\w.-]+)?)\]|(?<host>[A-Za-z0-9._-]+))?:(?<port>\d{1,5})$/;

/** Reads `:10062`, `host:port` or `[::1]:port`; undefined for any other text. */
export function parseListenAddress(text: string): ListenAddress | undefined {
  const groups = listenPattern.exec(text)?.groups;
  if (groups === undefined) return undefined;
  const port = Number(groups.port);
  return port > 65_535 ? undefined : Object.freeze({ host: groups.six ?? groups.host, port });
}

/** The address as it is written in the configuration: `:10062`, `localhost:10062`, `[::1]:10062`. */
export function renderListenAddress({ host, port }: ListenAddress): string {
  return `${host?.includes(':') ? `[${host}]` : (host ?? '')}:${port}`;
}
