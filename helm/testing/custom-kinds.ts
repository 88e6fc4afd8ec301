import { Ajv } from 'ajv';
import type { Manifest } from './manifests.ts';

/** The schemas of kinds that are not Kubernetes' own, by kind: a module, which has a class for each. */
const models: Record<string, string> = {
  AnalysisTemplate: '@kubernetes-models/argo-rollouts/argoproj.io/v1alpha1',
  Rollout: '@kubernetes-models/argo-rollouts/argoproj.io/v1alpha1',
  HTTPRoute: '@kubernetes-models/gateway-api/gateway.networking.k8s.io/v1',
  PodMonitor: '@kubernetes-models/prometheus-operator/monitoring.coreos.com/v1',
  PrometheusRule: '@kubernetes-models/prometheus-operator/monitoring.coreos.com/v1',
  ScaledObject: '@kubernetes-models/keda/keda.sh/v1alpha1',
};
interface Model {
  prototype: { validate(this: object): void };
}

/** Strimzi's has no package: what its documentation says of the fields that the charts write. */
const kafkaTopic = new Ajv({ allowUnionTypes: true }).compile({
  type: 'object',
  properties: {
    apiVersion: { const: 'kafka.strimzi.io/v1' },
    kind: { const: 'KafkaTopic' },
    metadata: {
      type: 'object',
      properties: { labels: { type: 'object', required: ['strimzi.io/cluster'] } },
      required: ['name', 'labels'],
    },
    spec: {
      type: 'object',
      properties: {
        topicName: { type: 'string', pattern: '^[a-zA-Z0-9._-]{1,249}$' },
        partitions: { type: 'integer', minimum: 1 },
        replicas: { type: 'integer', minimum: 1, maximum: 32_767 },
        config: { type: 'object', additionalProperties: { type: ['string', 'integer', 'boolean'] } },
      },
      additionalProperties: false,
    },
  },
  required: ['apiVersion', 'kind', 'metadata', 'spec'],
  additionalProperties: false,
});

export const customKinds = [...Object.keys(models), 'KafkaTopic'];

/** Throws when an object of a custom kind is not as its schema says, or has a field that the schema does not know. */
export async function validateCustom(manifest: Manifest): Promise<void> {
  if (manifest.kind === 'KafkaTopic') {
    if (!kafkaTopic(manifest)) throw new Error(JSON.stringify(kafkaTopic.errors));
    return;
  }
  const module = (await import(models[manifest.kind] as string)) as Record<string, Model>;
  const unread = new Set<string>();
  // Not on an instance, whose constructor would copy the object.
  (module[manifest.kind] as Model).prototype.validate.call(watched(manifest, '', unread));
  if (unread.size > 0)
    throw new Error(`${manifest.kind} ${manifest.metadata.name} has fields that are not known: ${[...unread].join(', ')}`);
}

/** A view of a value that keeps in `unread` the fields that nobody has looked at: a validator looks at all that it knows. */
function watched<T extends object>(value: T, path: string, unread: Set<string>): T {
  const places = new Map(Object.keys(value).map((name) => [name, `${path}/${name}`]));
  for (const place of places.values()) unread.add(place);
  return new Proxy(value, {
    get(target, name, receiver) {
      const read: unknown = Reflect.get(target, name, receiver);
      const place = places.get(String(name));
      if (place === undefined) return read;
      unread.delete(place);
      return typeof read === 'object' && read !== null ? watched(read, place, unread) : read;
    },
  });
}
