import {
  PrometheusRule,
  ServiceMonitor,
} from '@kubernetes-models/prometheus-operator/monitoring.coreos.com/v1';
import { StatefulSet } from 'kubernetes-models/apps/v1';
import { NetworkPolicy } from 'kubernetes-models/networking.k8s.io/v1';
import { PodDisruptionBudget } from 'kubernetes-models/policy/v1';
import { ConfigMap, PersistentVolumeClaim, Secret, Service, ServiceAccount } from 'kubernetes-models/v1';
import type { Manifest } from './chart-renderer.ts';

interface Model {
  readonly apiVersion: string;
  readonly kind: string;
  readonly prototype: { validate(): void };
}

/** They carry the schemas of Kubernetes and of the Prometheus operator, compiled. */
const models: readonly Model[] = [
  ConfigMap,
  NetworkPolicy,
  PersistentVolumeClaim,
  PodDisruptionBudget,
  PrometheusRule,
  Secret,
  Service,
  ServiceAccount,
  ServiceMonitor,
  StatefulSet,
];

/** What a strict API server would refuse: values that are wrong or missing, and fields that it does not know. */
export function listManifestProblems(manifest: Manifest): string[] {
  const { apiVersion, kind } = manifest;
  const model = models.find(each => each.apiVersion === apiVersion && each.kind === kind);
  if (model === undefined) return [`${apiVersion} ${kind}: no schema`];
  const unread = new Set<string>();
  try {
    model.prototype.validate.call(watchReads(manifest, kind, unread));
  } catch (error) {
    return [`${kind}: ${error instanceof Error ? error.message : error}`];
  }
  return [...unread].map(path => `${path}: not a field`);
}

/**
 * A value that strikes what is read of it off a list. The validators read each field they know, and all keys of a table
 * that may have any.
 */
function watchReads<Value>(value: Value, path: string, unread: Set<string>): Value {
  if (typeof value !== 'object' || value === null) return value;
  const pathOf = (key: string) => `${path}.${key}`;
  if (!Array.isArray(value)) for (const key of Object.keys(value)) unread.add(pathOf(key));
  const read = new Map<PropertyKey, unknown>();
  return new Proxy(value, {
    get(target, key) {
      if (!read.has(key)) {
        unread.delete(pathOf(String(key)));
        read.set(key, watchReads(Reflect.get(target, key), pathOf(String(key)), unread));
      }
      return read.get(key);
    },
    ownKeys(target) {
      for (const key of Object.keys(target)) unread.delete(pathOf(key));
      return Reflect.ownKeys(target);
    },
  });
}

interface Container {
  readonly name: string;
  readonly ports?: readonly { readonly name: string }[];
  readonly volumeMounts?: readonly { readonly name: string; readonly mountPath: string }[];
  readonly securityContext?: {
    readonly allowPrivilegeEscalation?: boolean;
    readonly readOnlyRootFilesystem?: boolean;
    readonly capabilities?: { readonly drop?: readonly string[]; readonly add?: readonly string[] };
  };
  readonly resources?: { readonly limits?: { readonly memory?: string } };
  // biome-ignore lint/suspicious/noExplicitAny: probes are looked up by name.
  readonly [field: string]: any;
}

/** The containers that the chart itself makes. */
const ownContainers = ['dbpm-exporter', 'config-reloader'];
/** Volumes that the restricted standard allows and the chart uses. */
const volumeKinds = ['configMap', 'emptyDir', 'persistentVolumeClaim', 'secret'];

/** What only a cluster would tell of the pod of a StatefulSet: parts that do not fit, and rights beyond the restricted standard. */
export function listPodProblems({ spec: set }: Manifest): string[] {
  const { spec } = set.template;
  const containers: readonly Container[] = spec.containers.filter(({ name }: Container) =>
    ownContainers.includes(name),
  );
  return [
    ...listSecurityProblems(spec),
    ...containers.flatMap(container => [
      ...listRightProblems(container),
      ...listLinkProblems(container, set),
    ]),
    ...listVolumeProblems(set),
  ];
}

function listSecurityProblems(spec: Manifest['spec']): string[] {
  const { securityContext } = spec;
  const rights: Readonly<Record<string, boolean>> = {
    'runs as root': securityContext.runAsNonRoot === true && securityContext.runAsUser > 0,
    'has all system calls': securityContext.seccompProfile.type === 'RuntimeDefault',
    'mounts a token': spec.automountServiceAccountToken === false,
    'shares the host': !(spec.hostNetwork || spec.hostPID || spec.hostIPC),
    'cannot write its volume': securityContext.fsGroup > 0,
  };
  return Object.entries(rights).flatMap(([problem, isRight]) => (isRight ? [] : [`the pod ${problem}`]));
}

function listRightProblems({ name, securityContext = {}, resources }: Container): string[] {
  const { allowPrivilegeEscalation, readOnlyRootFilesystem, capabilities } = securityContext;
  const rights: Readonly<Record<string, boolean>> = {
    'may gain rights': allowPrivilegeEscalation === false,
    'writes its root': readOnlyRootFilesystem === true,
    'keeps capabilities': capabilities?.drop?.join() === 'ALL' && capabilities.add === undefined,
    'has no limit of memory': resources?.limits?.memory !== undefined,
  };
  return Object.entries(rights).flatMap(([problem, isRight]) => (isRight ? [] : [`${name} ${problem}`]));
}

/** Probes ask at ports that are there, and every mount has its volume. */
function listLinkProblems(container: Container, set: Manifest['spec']): string[] {
  const { name, ports = [], volumeMounts = [] } = container;
  const volumes = [
    ...set.template.spec.volumes.map(nameOf),
    ...(set.volumeClaimTemplates ?? []).map(claimName),
  ];
  const probes = ['startupProbe', 'livenessProbe', 'readinessProbe'].flatMap(
    key => container[key]?.httpGet?.port ?? [],
  );
  const paths = volumeMounts.map(({ mountPath }) => mountPath);
  return [
    ...probes
      .filter(port => !ports.some(each => each.name === port))
      .map(port => `${name} is probed at ${port}`),
    ...volumeMounts
      .filter(mount => !volumes.includes(mount.name))
      .map(mount => `${name} mounts ${mount.name}`),
    ...paths
      .filter((path, index) => paths.indexOf(path) !== index)
      .map(path => `${name} mounts ${path} twice`),
  ];
}

function listVolumeProblems(set: Manifest['spec']): string[] {
  const { volumes } = set.template.spec;
  const names: string[] = [...volumes.map(nameOf), ...(set.volumeClaimTemplates ?? []).map(claimName)];
  const kinds: string[] = volumes.flatMap((volume: object) =>
    Object.keys(volume).filter(key => key !== 'name'),
  );
  return [
    ...names.filter((name, index) => names.indexOf(name) !== index).map(name => `two volumes ${name}`),
    ...kinds.filter(kind => !volumeKinds.includes(kind)).map(kind => `a volume of kind ${kind}`),
    ...(names.includes('history') ? [] : ['no volume for the history']),
  ];
}

const nameOf = ({ name }: { readonly name: string }): string => name;
const claimName = ({ metadata }: Manifest): string => metadata.name;
