import type { Manifest } from './chart-renderer.ts';

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
