import { mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { findManifest, type Manifest, type Rendering } from './chart-renderer.ts';

type Files = Readonly<Record<string, string>>;

/** The daemon's container of a rendered chart, with its volumes in a folder of this machine. */
export interface MountedPod {
  /** What the container starts with; paths and addresses are of this machine. */
  readonly args: readonly string[];
  /** Puts other files into a volume, as a kubelet does when its Secret or ConfigMap has changed. */
  update(volume: string, files: Files): void;
}

/**
 * Lays out the volumes as a kubelet does: each file is a link through `..data`, which is exchanged when they change.
 *
 * @param given files of the Secrets that are not of the chart.
 */
export function mountPod(rendering: Rendering, given: Readonly<Record<string, Files>>): MountedPod {
  const folder = mkdtempSync(join(tmpdir(), 'dbpm-pod-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const { containers, volumes } = findManifest(rendering, 'StatefulSet').spec.template.spec;
  const [container] = containers;
  const pathOf = (mountPath: string) => join(folder, mountPath);
  /** Files name others by where they are in the container. */
  const mountPaths = container.volumeMounts.map(({ mountPath }: { mountPath: string }) => mountPath);
  const place = (text: string) =>
    text.replaceAll(new RegExp(`(?<![\\w/])(?:${mountPaths.join('|')})(?=/)`, 'g'), pathOf);
  const update = (volume: string, files: Files) => {
    const { mountPath } = container.volumeMounts.find(({ name }: { name: string }) => name === volume);
    const placed = Object.entries(files).map(([name, text]) => [name, place(text)]);
    writeVolume(pathOf(mountPath), Object.fromEntries(placed));
  };
  for (const { name, mountPath } of container.volumeMounts) {
    mkdirSync(pathOf(mountPath), { recursive: true });
    const source = volumes.find((volume: { name: string }) => volume.name === name) ?? {};
    const { configMap, secret } = source;
    const object = configMap?.name ?? secret?.secretName;
    if (object !== undefined) update(name, given[object] ?? readFiles(rendering, object));
  }
  const args = container.args.map((arg: string) => place(arg).replace(/=:\d+$/, '=127.0.0.1:0'));
  return { args, update };
}

function readFiles({ manifests }: Rendering, name: string): Files {
  const isSource = ({ kind }: Manifest) => kind === 'ConfigMap' || kind === 'Secret';
  const object = manifests.find(each => isSource(each) && each.metadata.name === name);
  if (object === undefined) throw new Error(`no ConfigMap or Secret ${name}`);
  const decode = (text: string) => (object.kind === 'Secret' ? Buffer.from(text, 'base64').toString() : text);
  return Object.fromEntries(Object.entries<string>(object.data).map(([file, text]) => [file, decode(text)]));
}

let versions = 0;

function writeVolume(folder: string, files: Files): void {
  versions += 1;
  const version = `..version_${versions}`;
  mkdirSync(join(folder, version));
  for (const [name, text] of Object.entries(files)) {
    writeFileSync(join(folder, version, name), text, { mode: 0o440 });
    rmSync(join(folder, name), { force: true });
    symlinkSync(join('..data', name), join(folder, name));
  }
  symlinkSync(version, join(folder, '..data_tmp'));
  renameSync(join(folder, '..data_tmp'), join(folder, '..data'));
}
