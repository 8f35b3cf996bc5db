import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Programs that others wrote and that judge ours, with the Debian package that brings each. */
const packages = {
  promtool: 'prometheus',
  prometheus: 'prometheus',
} as const;

export interface Peer {
  /** Path of the program; undefined when it is not installed. */
  readonly path: string | undefined;
  /** Says why a test is skipped and what to install. */
  readonly skipNote: string;
}

/** Finds a peer in PATH. Throws when it is missing where `CI` is true: there nothing may be skipped. */
export function findPeer(name: keyof typeof packages): Peer {
  const skipNote = `skipped: ${name} not found (Debian package ${packages[name]})`;
  const folders = (process.env.PATH ?? '').split(delimiter).filter(folder => folder !== '');
  const path = folders.map(folder => join(folder, name)).find(isExecutable);
  if (path === undefined && process.env.CI === 'true') {
    throw new Error(`${name} not found: install the Debian package ${packages[name]}`);
  }
  return { path, skipNote };
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
