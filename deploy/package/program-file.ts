import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A file of the program as it is delivered, without Node. */
export interface ProgramFile {
  /** Below the root of the program. */
  readonly path: string;
  readonly source: string;
  readonly isExecutable: boolean;
}

interface LockedPackage {
  readonly dev?: boolean;
  readonly devOptional?: boolean;
  readonly optional?: boolean;
}

interface PackageDescription {
  readonly name: string;
  readonly version: string;
  readonly description: string;
  readonly license: string;
}

/** The files that run, as the Dockerfile copies them. */
export const programGlobs: readonly string[] = [
  'package.json',
  'LICENSE',
  'bin/**',
  'src/**',
  'dashboards/boards/*.json',
  'dashboards/promql.ts',
  'dashboards/rules/*.ts',
  'docs/*.md',
];

const licence = /\/(licen[cs]e|copying|notice)[^/]*$/i;
/** Files of packages that nothing reads at run time: declarations, documents, tests, and sources of addons. */
const unread =
  /\.([cm]?ts|map|md|markdown|gypi?|h|hpp|c|cc|cpp|sh|ya?ml)$|\/(tests?|__tests__|examples?|benchmarks?|docs|ISSUE_TEMPLATE|deps)\/|\/(Makefile|Dockerfile[^/]*|\.[^/]+)$/i;
const addon = /\/prebuilds\//;

/**
 * The files of the program and of the packages it needs, in the order of their paths.
 *
 * @param platform only addons for it, such as `linux-x64`; all that are no addons for Windows unless told.
 */
export function listProgramFiles(root: string, platform?: string): readonly ProgramFile[] {
  const own = globSync([...programGlobs], { cwd: root, withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(entry => join(entry.parentPath, entry.name).slice(root.length));
  const needed = listPackages(root).flatMap(folder => listPackageFiles(root, folder, platform));
  return [...own, ...needed]
    .toSorted()
    .map(path => ({ path, source: join(root, path), isExecutable: path.startsWith('bin/') }));
}

/** Folders of the packages that run, by the lock file. */
export function listPackages(root: string): readonly string[] {
  const lock: { readonly packages: Readonly<Record<string, LockedPackage>> } = JSON.parse(
    readFileSync(join(root, 'package-lock.json'), 'utf8'),
  );
  return Object.entries(lock.packages)
    .filter(([folder, { dev, devOptional, optional }]) => folder !== '' && !dev && !devOptional && !optional)
    .map(([folder]) => folder);
}

/** The part of a package's package.json that is read. */
export function readPackage(root: string, folder: string): PackageDescription {
  return JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'));
}

function listPackageFiles(root: string, folder: string, platform: string | undefined): readonly string[] {
  return globSync('**', { cwd: join(root, folder), withFileTypes: true, exclude: ['node_modules'] })
    .filter(entry => entry.isFile())
    .map(entry => join(entry.parentPath, entry.name).slice(root.length))
    .filter(path => licence.test(path) || !unread.test(path.slice(folder.length)))
    .filter(path => !addon.test(path) || isAddonFor(path, platform));
}

/** Addons are named after their platform, or lie in a folder that is. */
function isAddonFor(path: string, platform: string | undefined): boolean {
  return platform === undefined ? !path.includes('win32') : path.includes(`/prebuilds/${platform}`);
}
