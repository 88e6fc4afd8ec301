/** An object of Kubernetes: the parts that the specs read. */
export interface Manifest {
  apiVersion: string;
  kind: string;
  metadata: { name: string; namespace?: string; labels?: Labels; annotations?: Labels };
}
type Labels = Record<string, string>;

interface Probe {
  httpGet: { path: string; port: string };
  periodSeconds?: number;
  timeoutSeconds?: number;
  failureThreshold?: number;
}

export interface EnvVar {
  name: string;
  value?: string;
  valueFrom?: { secretKeyRef: { name: string; key: string; optional?: boolean } };
}

export interface Container {
  name: string;
  image: string;
  imagePullPolicy: string;
  command?: string[];
  args?: string[];
  securityContext: { allowPrivilegeEscalation: boolean; readOnlyRootFilesystem: boolean; capabilities: { drop: string[] } };
  env?: EnvVar[];
  envFrom?: { configMapRef: { name: string } }[];
  ports?: { name: string; containerPort: number }[];
  startupProbe?: Probe;
  livenessProbe?: Probe;
  readinessProbe?: Probe;
  lifecycle?: { preStop: { sleep: { seconds: number } } };
  resources: { requests: Labels; limits: Labels };
  volumeMounts?: { name: string; mountPath: string; readOnly?: boolean }[];
}

export interface PodSpec {
  serviceAccountName?: string;
  automountServiceAccountToken: boolean;
  enableServiceLinks: boolean;
  securityContext: { runAsNonRoot: boolean; runAsUser: number; fsGroup: number; seccompProfile: { type: string } };
  imagePullSecrets?: { name: string }[];
  terminationGracePeriodSeconds?: number;
  restartPolicy?: string;
  topologySpreadConstraints?: { topologyKey: string; whenUnsatisfiable: string; labelSelector: { matchLabels: Labels } }[];
  priorityClassName?: string;
  nodeSelector?: Labels;
  tolerations?: object[];
  affinity?: object;
  containers: [Container];
  volumes?: { name: string; emptyDir?: object; secret?: { secretName: string }; persistentVolumeClaim?: { claimName: string } }[];
}

export interface PodTemplate {
  metadata: { labels: Labels; annotations?: Labels };
  spec: PodSpec;
}

interface Deployment extends Manifest {
  spec: {
    replicas?: number;
    minReadySeconds?: number;
    revisionHistoryLimit: number;
    strategy: { type: string; rollingUpdate?: { maxUnavailable: number; maxSurge: number } };
    selector: { matchLabels: Labels };
    template: PodTemplate;
  };
}

interface Rollout extends Manifest {
  spec: Omit<Deployment['spec'], 'strategy'> & { strategy: { canary: { steps: object[] } } };
}

interface AnalysisTemplate extends Manifest {
  spec: { metrics: { name: string; successCondition: string; provider: { prometheus: { address: string; query: string } } }[] };
}

interface Job extends Manifest {
  spec: { activeDeadlineSeconds: number; backoffLimit: number; template: PodTemplate };
}

interface Service extends Manifest {
  spec: {
    type: string;
    clusterIP?: string;
    ipFamilyPolicy?: string;
    selector: Labels;
    ports: { name: string; port: number; targetPort: string }[];
  };
}

/** A source or destination of a rule of a NetworkPolicy. */
export interface Peer {
  podSelector?: Selector;
  namespaceSelector?: Selector;
  ipBlock?: { cidr: string; except?: string[] };
}
export interface Selector {
  matchLabels?: Labels;
}
export interface PolicyPort {
  port: number;
  endPort?: number;
  protocol?: 'TCP' | 'UDP';
}
export interface NetworkPolicy extends Manifest {
  spec: {
    podSelector: Selector;
    policyTypes: string[];
    ingress: { ports?: PolicyPort[]; from?: Peer[] }[];
    egress: { ports?: PolicyPort[]; to?: Peer[] }[];
  };
}

interface Ingress extends Manifest {
  spec: {
    ingressClassName?: string;
    tls: { secretName: string; hosts: string[] }[];
    rules: { host: string; http: { paths: { path: string; backend: { service: { name: string; port: { name: string } } } }[] } }[];
  };
}

interface HttpRoute extends Manifest {
  spec: {
    parentRefs: object[];
    hostnames: string[];
    rules: { matches?: object[]; retry?: object; backendRefs: { name: string; port: number }[] }[];
  };
}

interface Autoscaler extends Manifest {
  spec: { scaleTargetRef: { apiVersion: string; kind: string; name: string }; minReplicas: number; maxReplicas: number; metrics: object[] };
}

interface ScaledObject extends Manifest {
  spec: {
    scaleTargetRef: { apiVersion: string; kind: string; name: string };
    minReplicaCount: number;
    maxReplicaCount: number;
    triggers: { type: string; metricType?: string; metadata: Labels }[];
  };
}

interface KafkaTopic extends Manifest {
  spec: { topicName: string; partitions: number; replicas: number; config: Record<string, string | number> };
}

interface PodDisruptionBudget extends Manifest {
  spec: { maxUnavailable: number; selector: { matchLabels: Labels } };
}

interface Claim extends Manifest {
  spec: { accessModes: string[]; storageClassName?: string; resources: { requests: { storage: string } } };
}

interface PodMonitor extends Manifest {
  spec: { selector: { matchLabels: Labels }; podMetricsEndpoints: { port: string; path: string; interval: string }[] };
}

export interface AlertRule {
  alert: string;
  expr: string;
  /** A duration of Prometheus: 5m. */
  for: string;
  keep_firing_for?: string;
  labels: { severity: 'warning' | 'critical'; service: string; namespace: string };
  annotations: { summary: string; description: string; runbook_url: string };
}

/** What Prometheus computes and keeps as a metric of its own. */
export interface Recording {
  record: string;
  expr: string;
  labels: { objective: string } & Labels;
}

export interface RuleGroup {
  name: string;
  /** Alerts read what those before them have recorded. */
  rules: (AlertRule | Recording)[];
}

interface PrometheusRule extends Manifest {
  spec: { groups: RuleGroup[] };
}

export interface Kinds {
  AnalysisTemplate: AnalysisTemplate;
  ConfigMap: Manifest & { data: Labels };
  Deployment: Deployment;
  HorizontalPodAutoscaler: Autoscaler;
  HTTPRoute: HttpRoute;
  Ingress: Ingress;
  Job: Job;
  KafkaTopic: KafkaTopic;
  NetworkPolicy: NetworkPolicy;
  PersistentVolumeClaim: Claim;
  PodDisruptionBudget: PodDisruptionBudget;
  PodMonitor: PodMonitor;
  PrometheusRule: PrometheusRule;
  Rollout: Rollout;
  ScaledObject: ScaledObject;
  Service: Service;
  ServiceAccount: Manifest & { automountServiceAccountToken: boolean };
}
