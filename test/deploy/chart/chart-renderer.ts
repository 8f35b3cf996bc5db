import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, renameSync } from 'node:fs';
import { describe, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { findPeer } from '../../support/peer.ts';

const root = new URL('../../../', import.meta.url).pathname;
export const chartFolder = `${root}deploy/helm/dbpm-exporter/`;

/** An object of Kubernetes as a manifest has it. */
export interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string;
    readonly labels?: Readonly<Record<string, string>>;
    readonly annotations?: Readonly<Record<string, string>>;
  };
  // biome-ignore lint/suspicious/noExplicitAny: each kind has its own fields, which its schema checks.
  readonly [field: string]: any;
}

export interface Rendering {
  readonly manifests: readonly Manifest[];
  readonly notes: string;
}

interface RenderOptions {
  readonly release?: string;
  readonly kubeVersion?: string;
  /** A value that no default has is an error, as for `helm lint --strict`. */
  readonly strict?: boolean;
}

/** Where Debian keeps the source of Go libraries. */
const goPath = '/usr/share/gocode';
const libraries = ['github.com/Masterminds/sprig', 'github.com/xeipuuv/gojsonschema', 'sigs.k8s.io/yaml'];

/**
 * Tests of rendered manifests, given what renders them: a program made of Go's text/template and of the libraries Helm
 * has. They are skipped where these are not installed.
 */
export function describeChart(name: string, suite: (render: typeof renderChart) => void): void {
  const go = findPeer('go');
  if (go !== undefined && libraries.every(library => existsSync(`${goPath}/src/${library}`))) {
    buildRenderer(go);
    describe(name, () => suite(renderChart));
    return;
  }
  test(name, ({ skip }) => {
    skip('go or its libraries not found (Debian packages golang-go and those named in .ci/run)');
  });
}

const cache = `${root}node_modules/.cache/chart`;
const renderer = `${cache}/renderer`;

/** Go compiles only what has changed since. Others may be running it meanwhile: it is exchanged whole. */
function buildRenderer(go: string): void {
  mkdirSync(cache, { recursive: true });
  const source = new URL('renderer.go', import.meta.url).pathname;
  const env = { ...process.env, GO111MODULE: 'off', GOPATH: goPath, GOCACHE: `${cache}/go`, GOFLAGS: '' };
  const built = `${renderer}-${process.pid}`;
  execFileSync(go, ['build', '-o', built, source], { env });
  renameSync(built, renderer);
}

/**
 * What `helm template` makes of the chart.
 *
 * @throws Error with what the schema or the templates say of the values.
 */
function renderChart(values: object, options: RenderOptions = {}): Rendering {
  const { release = 'r1', kubeVersion = '1.34.0', strict = true } = options;
  const asked = {
    chart: chartFolder,
    release,
    namespace: 'databases',
    kubeVersion,
    apiVersions: [],
    values,
    strict,
  };
  const { stdout, stderr, status } = spawnSync(renderer, {
    input: JSON.stringify(asked),
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
  });
  if (status !== 0) throw new Error(`the renderer failed: ${stderr}`);
  const { texts = {}, error } = JSON.parse(stdout) as { texts?: Record<string, string>; error?: string };
  if (error !== undefined) throw new Error(error);
  const { 'templates/NOTES.txt': notes = '', ...sources } = texts;
  return { manifests: Object.values(sources).flatMap(readManifests), notes };
}

function readManifests(text: string): Manifest[] {
  return parseAllDocuments(text, { version: '1.1' }).flatMap(document => {
    const [problem] = [...document.errors, ...document.warnings];
    if (problem !== undefined) throw problem;
    const manifest: Manifest | null = document.toJS();
    return manifest === null ? [] : [manifest];
  });
}

/** The object of a kind, which has to be the only one; of some by the end of its name. */
export function findManifest({ manifests }: Rendering, kind: string, ending = ''): Manifest {
  const found = manifests.filter(each => each.kind === kind && each.metadata.name.endsWith(ending));
  if (found.length !== 1 || found[0] === undefined)
    throw new Error(`${found.length} objects of kind ${kind} ${ending}`);
  return found[0];
}
