import { merge, render, withSimulator, type Values } from '../testing/render.ts';

const UMBRELLA = 'invoicing-platform';

const without = { global: { settings: { simulatorUrl: 'none' } } };
type Mistake = [values: Values, why: string];

/** Mistakes that the schema of every service's chart takes, and what helm says. */
const ofServices: Mistake[] = [
  [{ resources: { limits: { memory: '128' } } }, 'resources.limits.memory is 128, which is so many bytes: write 128Mi'],
  [{ resources: { requests: { memory: 256 } } }, 'resources.requests.memory is 256, which is so many bytes: write 256Mi'],
  [{ resources: { limits: { memory: '512m' } } }, 'resources.limits.memory is 512m, which is thousandths of a byte: write 512Mi'],
  [{ resources: { limits: { cpu: '500' } } }, 'resources.limits.cpu is 500, which is so many processors: write 500m'],
  [{ resources: { limits: { memory: '64Mi' }, requests: { memory: '32Mi' } } }, 'memory is 64Mi, less than the process has when it idles'],
  [
    { resources: { requests: { memory: '2Gi' }, limits: { memory: '1500Mi' } } },
    'resources.requests.memory is 2Gi, above resources.limits.memory, which is 1500Mi',
  ],
  [{ settings: { port: 3001, opsPort: 3001 } }, 'are both 3001: give them two ports'],
  [{ extraEnv: [{ name: 'INTERNAL_KEYS', value: 'x' }] }, 'extraEnv has INTERNAL_KEYS, which comes from existingSecret'],
  [{ extraEnv: [{ name: 'MONGODB_URL_FILE', value: '/x' }] }, 'which is made of existingSecret.asFiles: write mongodbUrl there'],
  [{ extraEnv: [{ name: 'LOG_LEVEL', value: 'debug' }] }, 'extraEnv has LOG_LEVEL, which is settings.logLevel: set that'],
  [
    {
      extraEnv: [
        { name: 'TZ', value: 'a' },
        { name: 'TZ', value: 'b' },
      ],
    },
    'extraEnv has TZ twice',
  ],
  [{ extraEnv: [{ name: 'TZ' }] }, "extraEnv's TZ has to have either value or valueFrom"],
  [{ existingSecret: { asFiles: ['mongodbURL'] } }, 'existingSecret.asFiles has mongodbURL, which is none of existingSecret.keys'],
  [{ existingSecret: { keys: { mongodbUrl: 'X', internalKeys: 'X' } } }, 'are both X: two secrets cannot be one'],
  [{ podLabels: { 'app.kubernetes.io/name': 'x' } }, 'podLabels has app.kubernetes.io/name, by which Services and policies find the pods'],
  [{ podAnnotations: { 'checksum/settings': 'x' } }, 'podAnnotations has checksum/settings'],
  [{ preStopSleepSeconds: 20, terminationGracePeriodSeconds: 45 }, 'with preStopSleepSeconds 20 it is 50 at least'],
  [{ preStopSleepSeconds: 0 }, 'preStopSleepSeconds is 0 and settings.linger is empty'],
  [{ podDisruptionBudget: { maxUnavailable: 2 } }, 'podDisruptionBudget.maxUnavailable is 2, and there may be 2 pods'],
  [{ image: { tag: '7', digest: `sha256:${'a'.repeat(64)}` } }, 'image.tag is 7 and image.digest is given too'],
  [{ serviceAccount: { name: 'mine', annotations: { a: 'b' } } }, 'serviceAccount.name names yours (mine): annotate that one'],
  [{ settings: { kafkaUsername: 'invoicing' } }, 'kafkaUsername is invoicing and kafkaSaslMechanism is empty'],
  [{ settings: { kafkaSaslMechanism: 'scram-sha-512' } }, 'kafkaSaslMechanism is scram-sha-512 and kafkaUsername is empty'],
  [{ settings: { kafkaSaslMechanism: 'plain', kafkaUsername: 'a' } }, 'kafkaSaslMechanism is plain, which sends the password as it is'],
  [{ settings: { kafkaTlsCaFile: '/certs/ca.crt' } }, 'kafkaTlsCaFile is /certs/ca.crt and kafkaTls is not true'],
  [{ settings: { kafkaTls: true, kafkaTlsCaFile: '/certs/ca.crt' } }, 'no Secret is mounted there: set certificates.existingSecret'],
];

/** Those of single charts. */
const mistakes: [chart: string, ...Mistake][] = [
  ['gateway', { extraEnv: [{ name: 'HOSTS', value: 'a=live' }] }, 'extraEnv has HOSTS, which is ingress.hosts: set that'],
  ['gateway', { autoscaling: { enabled: true }, resources: { requests: { cpu: null } } }, 'resources.requests.cpu is empty'],
  [
    'gateway',
    { replicas: 1, development: { enabled: true, setupFile: '/app/data/x' }, autoscaling: { enabled: true } },
    'development.setupFile is for one pod',
  ],
  [
    'gateway',
    {
      ingress: {
        hosts: [
          { host: 'a.b', kind: 'live' },
          { host: 'a.b', kind: 'sandbox' },
        ],
      },
    },
    'ingress.hosts has a.b twice',
  ],
  ['gateway', { ingress: { trustedProxies: ['0.0.0.0/0'] } }, 'anybody could name any address as his own'],
  ['invoicing', { settings: { clockWitnesses: 'https://time.example.com' } }, 'the network policy lets nothing out to it'],
  ['fiscal-submission', { settings: { alCisTestUrl: 'https://tax.example.com:3003' } }, 'lets out to port 443 alone'],
  [
    'fiscal-submission',
    { global: { settings: { simulatorUrl: '' } } },
    'nothing answers test documents. Set authority-simulator.enabled=true',
  ],
  ['webhooks-dispatcher', { extraEnv: [{ name: 'WEBHOOKS_ALLOW', value: 'x' }] }, 'WEBHOOKS_ALLOW, which is development.webhooksAllow'],
  ['authority-simulator', { settings: { alCisPort: 3002 } }, 'settings.alCisPort are both 3002'],
  [
    UMBRELLA,
    { gateway: { settings: { invoicingUrl: 'http://invoicng:3000' } } },
    'gateway.settings.invoicingUrl is http://invoicng:3000, and invoicing of this release has the name invoicing: set http://invoicing:3000',
  ],
  [UMBRELLA, { gateway: { settings: { invoicingUrl: 'http://invoicing' } } }, 'answers http on port 3000: set http://invoicing:3000'],
  [UMBRELLA, { invoicing: { settings: { port: 4000 } } }, 'answers http on port 4000: set http://invoicing:4000'],
  [UMBRELLA, { reporting: { fullnameOverride: 'reports' } }, 'gateway.settings.reportingUrl is http://reporting:3000'],
  [UMBRELLA, { gateway: { fullnameOverride: 'invoicing' } }, 'gateway and invoicing of this release are both named invoicing'],
  [UMBRELLA, { 'authority-simulator': { enabled: false } }, 'nothing answers test documents'],
  [
    UMBRELLA,
    { 'authority-simulator': { enabled: false }, global: { settings: { simulatorUrl: 'http://authority-simulator:3002' } } },
    'no document of a test key would ever get a code',
  ],
  [UMBRELLA, { global: { settings: { simulatorUrl: 'none' } } }, 'authority-simulator.enabled is true, and simulatorUrl is none'],
  [
    UMBRELLA,
    { 'authority-simulator': { enabled: false }, 'fiscal-submission': { settings: { simulatorUrl: 'none' } } },
    'one would number what the other does not send. Set global.settings.simulatorUrl',
  ],
  [
    UMBRELLA,
    { invoicing: { settings: { alCisTestUrl: 'https://tax.example.com' } }, 'authority-simulator': { enabled: false }, ...without },
    'settings.alCisTestUrl of fiscal-submission is \"\" and that of invoicing',
  ],
  [
    UMBRELLA,
    {
      'authority-simulator': { enabled: false },
      global: { settings: { simulatorUrl: 'none', alCisTestUrl: 'https://authority-simulator:3003' } },
    },
    'no test document for it would ever get a code',
  ],
  [
    UMBRELLA,
    { 'authority-simulator': { settings: { alCisPort: 4003 } } },
    'is at https://authority-simulator:4003: set global.settings.alCisTestUrl',
  ],
  [UMBRELLA, { 'authority-simulator': { fullnameOverride: 'tax' } }, 'is at http://tax:3002: set global.settings.simulatorUrl to that'],
];

const secrets = (values: Values): Values => {
  const named = { existingSecret: { name: 'credentials' } };
  const services = ['gateway', 'invoicing', 'fiscal-submission', 'webhooks-dispatcher', 'reporting'];
  return merge(withSimulator, merge(Object.fromEntries(services.map((service) => [service, named])), values));
};
const renderOne = (chart: string, values: Values): unknown => render(chart, chart === UMBRELLA ? secrets(values) : values);

test.each(ofServices)('a service refuses %j', (values, why) => {
  for (const chart of ['gateway', 'reporting']) expect(() => renderOne(chart, values)).toThrow(why);
});

test.each(mistakes)('%s refuses %j', (chart, values, why) => {
  expect(() => renderOne(chart, values)).toThrow(why);
});

const elsewhere = { simulatorUrl: 'https://authority.example.com' };
test.each<[string, Values]>([
  ['gateway', { resources: { limits: { memory: '512Mi', cpu: 2 } }, extraEnv: [{ name: 'NODE_OPTIONS', value: '--trace-warnings' }] }],
  ['gateway', { preStopSleepSeconds: 0, settings: { linger: '5s' } }],
  ['invoicing', { settings: { clockWitnesses: 'https://x.test' }, networkPolicy: { extraEgress: [{ ports: [{ port: 443 }] }] } }],
  [UMBRELLA, { gateway: { settings: { invoicingUrl: 'http://invoicing.billing.svc.cluster.local:3000' } } }],
  [UMBRELLA, { invoicing: { enabled: false }, gateway: { settings: { invoicingUrl: 'http://other:3000' } } }],
  [UMBRELLA, { 'authority-simulator': { enabled: false }, 'fiscal-submission': { settings: elsewhere } }],
  [UMBRELLA, { 'authority-simulator': { enabled: false }, global: { settings: { simulatorUrl: 'none' } } }],
])('%s renders with %j', (chart, values) => {
  expect(() => renderOne(chart, values)).not.toThrow();
});
