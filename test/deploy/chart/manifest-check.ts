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
