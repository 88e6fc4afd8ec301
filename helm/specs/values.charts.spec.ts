import { render, type Values } from '../testing/render.ts';

/** A value that is refused, where helm says it is, and why. */
type Refused = [chart: string, values: Values, place: string, why: string];

const refused: Refused[] = [
  ['gateway', { replica: 3 }, '', "additional properties 'replica' not allowed"],
  ['gateway', { replicas: 0 }, '/replicas', 'minimum'],
  ['gateway', { replicas: '2' }, '/replicas', 'want integer'],
  ['gateway', { image: { pullPolicy: 'Sometimes' } }, '/image/pullPolicy', 'value must be one of'],
  ['gateway', { image: { digest: 'sha256:abc' } }, '/image/digest', 'does not match pattern'],
  ['gateway', { image: { repository: 'Registry/Gateway' } }, '/image/repository', 'does not match pattern'],
  ['gateway', { settings: { logLevel: 'loud' } }, '/settings/logLevel', 'value must be one of'],
  ['gateway', { settings: { port: 80 } }, '/settings/port', 'minimum'],
  ['gateway', { settings: { port: '3000' } }, '/settings/port', 'want integer'],
  ['gateway', { settings: { requireHttps: 'yes' } }, '/settings/requireHttps', 'want boolean'],
  ['gateway', { settings: { publicUrl: 'api.example.com' } }, '/settings/publicUrl', 'does not match pattern'],
  ['gateway', { settings: { linger: '3' } }, '/settings/linger', 'does not match pattern'],
  ['gateway', { settings: { secretsKey: 'v1:x' } }, '/settings', "additional properties 'secretsKey' not allowed"],
  ['gateway', { settings: { invoicingUrl: 'invoicing:3000' } }, '/settings/invoicingUrl', 'does not match pattern'],
  ['gateway', { global: { settings: { kafkaBrokers: 'kafka' } } }, '/global/settings/kafkaBrokers', 'does not match pattern'],
  ['gateway', { global: { settings: { namespace: 'Blue' } } }, '/global/settings/namespace', 'does not match pattern'],
  ['gateway', { global: { settings: { kafka: 'x:1' } } }, '/global/settings', "additional properties 'kafka' not allowed"],
  ['gateway', { global: { topics: { by: 'hand' } } }, '/global/topics/by', 'value must be one of'],
  ['gateway', { global: { networkPolicy: { mongodb: { ports: [] } } } }, '/global/networkPolicy/mongodb/ports', 'minItems'],
  ['gateway', { global: { networkPolicy: { kafka: { to: [{}] } } } }, '/global/networkPolicy/kafka/to/0', 'minProperties'],
  [
    'gateway',
    { global: { networkPolicy: { kafka: { to: [{ ipBlock: { cidr: '10.0.0.1' } }] } } } },
    '/global/networkPolicy/kafka/to/0/ipBlock/cidr',
    'does not match pattern',
  ],
  ['gateway', { existingSecret: { name: 'Not_a_name' } }, '/existingSecret/name', 'does not match pattern'],
  ['gateway', { existingSecret: { keys: { opsToken: '' } } }, '/existingSecret/keys/opsToken', 'does not match pattern'],
  ['gateway', { development: { demoPlan: 'enterprise' } }, '/development/demoPlan', "value must be ''"],
  ['gateway', { development: { enabled: true, demoPlan: 'huge' } }, '/development/demoPlan', 'value must be one of'],
  ['gateway', { development: { enabled: true, setupFile: '/app/data/x' } }, '/replicas', 'value must be 1'],
  ['fiscal-submission', { development: { authorityPace: 'fast' } }, '/development/authorityPace', "value must be ''"],
  ['webhooks-dispatcher', { development: { webhooksAllow: 'http://a' } }, '/development/webhooksAllow', "value must be ''"],
  ['webhooks-dispatcher', { development: { webhooksRetryDelays: '1s' } }, '/development/webhooksRetryDelays', "value must be ''"],
  ['gateway', { ingress: { enabled: true, trustedProxies: ['10.0.0.0/8'] } }, '/ingress/hosts', 'minItems'],
  ['gateway', { ingress: { enabled: true, hosts: [{ host: 'a.b' }] } }, '/ingress/trustedProxies', 'minItems'],
  [
    'gateway',
    { ingress: { enabled: true, hosts: [{ host: 'a.b' }], trustedProxies: ['10.0.0.0/8'] } },
    '/ingress/tls/existingSecret',
    'minLength',
  ],
  ['gateway', { ingress: { hosts: [{ host: 'a.b', kind: 'both' }] } }, '/ingress/hosts/0/kind', 'value must be one of'],
  ['gateway', { ingress: { hosts: [{ host: '*.example.com' }] } }, '/ingress/hosts/0/host', 'does not match pattern'],
  ['gateway', { httpRoute: { enabled: true } }, '/httpRoute/parentRefs', 'minItems'],
  ['gateway', { httpRoute: { parentRefs: [{ name: 'public' }] } }, '/httpRoute/parentRefs/0', "missing property 'sectionName'"],
  ['gateway', { autoscaling: { maxReplicas: 13 } }, '/autoscaling/maxReplicas', 'maximum'],
  ['reporting', { keda: { maxReplicas: 13 } }, '/keda/maxReplicas', 'maximum'],
  ['reporting', { keda: { minReplicas: 0 } }, '/keda/minReplicas', 'minimum'],
  ['reporting', { autoscaling: { enabled: true } }, '', "additional properties 'autoscaling' not allowed"],
  ['gateway', { keda: { enabled: true } }, '', "additional properties 'keda' not allowed"],
  ['authority-simulator', { replicas: 2 }, '', "additional properties 'replicas' not allowed"],
  ['authority-simulator', { settings: { ledgerFile: '/tmp/ledger' } }, '/settings/ledgerFile', 'does not match pattern'],
  ['authority-simulator', { persistence: { size: 'large' } }, '/persistence/size', 'does not match pattern'],
  ['gateway', { terminationGracePeriodSeconds: 30 }, '/terminationGracePeriodSeconds', 'minimum'],
  ['gateway', { extraEnv: [{ name: 'otel', value: 'x' }] }, '/extraEnv/0/name', 'does not match pattern'],
  ['gateway', { resources: { limits: { memory: 'much' } } }, '/resources/limits/memory', 'does not match pattern'],
  ['gateway', { fullnameOverride: 'My Gateway' }, '/fullnameOverride', 'does not match pattern'],
  ['gateway', { service: { ipFamilyPolicy: 'Both' } }, '/service/ipFamilyPolicy', 'value must be one of'],
  ['invoicing', { global: { topics: { by: 'strimzi' } } }, '/global/topics/strimzi/cluster', 'minLength'],
];

test.each(refused)('%s refuses %j, and names %s', (chart, values, place, why) => {
  let said = '';
  try {
    render(chart, values);
  } catch (error) {
    said = String(error);
  }
  const line = said.split('\n').find((one) => one.includes(`at '${place}':`) && one.includes(why));
  expect({ line: line?.includes(why), said }).toEqual({ line: true, said });
});

test('the umbrella refuses what a chart refuses, and what is of no chart', () => {
  const values = { gateway: { replica: 3 }, invoicing: { settings: { logLevel: 'loud' } } };
  expect(() => render('invoicing-platform', values)).toThrow(/gateway:\n- at '': additional properties 'replica' not allowed/);
  expect(() => render('invoicing-platform', values)).toThrow(/invoicing:\n- at '\/settings\/logLevel': value must be one of/);
  expect(() => render('invoicing-platform', { gatway: {} })).toThrow("additional properties 'gatway' not allowed");
});
