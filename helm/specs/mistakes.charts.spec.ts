import { render, type Values } from '../testing/render.ts';

const UMBRELLA = 'invoicing-platform';

/** A mistake that every schema takes, and what helm says. */
const mistakes: [chart: string, values: Values, why: string][] = [
  ['gateway', { resources: { limits: { memory: '128' } } }, 'resources.limits.memory is 128, which is so many bytes: write 128Mi'],
  ['invoicing', { resources: { requests: { memory: 256 } } }, 'resources.requests.memory is 256, which is so many bytes: write 256Mi'],
  ['reporting', { resources: { limits: { cpu: '500' } } }, 'resources.limits.cpu is 500, which is so many processors: write 500m'],
  ['gateway', { settings: { port: 3001, opsPort: 3001 } }, 'settings.port and settings.opsPort are both 3001'],
  ['gateway', { extraEnv: [{ name: 'SECRETS_KEY', value: 'v1:x' }] }, 'extraEnv has SECRETS_KEY, which comes from existingSecret'],
  ['invoicing', { extraEnv: [{ name: 'LOG_LEVEL', value: 'debug' }] }, 'extraEnv has LOG_LEVEL, which is settings.logLevel: set that'],
  ['webhooks-dispatcher', { extraEnv: [{ name: 'WEBHOOKS_ALLOW', value: 'x' }] }, 'WEBHOOKS_ALLOW, which is development.webhooksAllow'],
  [
    UMBRELLA,
    { gateway: { settings: { invoicingUrl: 'http://invoicng:3000' } } },
    'gateway.settings.invoicingUrl is http://invoicng:3000, and invoicing of this release has the name invoicing: set http://invoicing:3000',
  ],
  [UMBRELLA, { reporting: { fullnameOverride: 'reports' } }, 'gateway.settings.reportingUrl is http://reporting:3000'],
  [UMBRELLA, { 'authority-simulator': { enabled: false } }, 'no document of a test key would ever get a code'],
];

const secrets = (values: Values): Values => {
  const named = { existingSecret: { name: 'credentials' } };
  const services = ['gateway', 'invoicing', 'fiscal-submission', 'webhooks-dispatcher', 'reporting'];
  return Object.fromEntries([
    ...Object.entries(values),
    ...services.map((service) => [service, { ...named, ...(values[service] as Values | undefined) }]),
  ]) as Values;
};
const renderOne = (chart: string, values: Values): unknown => render(chart, chart === UMBRELLA ? secrets(values) : values);

test.each(mistakes)('%s refuses %j', (chart, values, why) => {
  expect(() => renderOne(chart, values)).toThrow(why);
});

test.each<[string, Values]>([
  ['gateway', { resources: { limits: { memory: '512Mi', cpu: 2 } }, extraEnv: [{ name: 'NODE_OPTIONS', value: '--trace-warnings' }] }],
  [UMBRELLA, { gateway: { settings: { invoicingUrl: 'http://invoicing.billing.svc.cluster.local:3000' } } }],
  [UMBRELLA, { invoicing: { enabled: false }, gateway: { settings: { invoicingUrl: 'http://other:3000' } } }],
  [
    UMBRELLA,
    { 'authority-simulator': { enabled: false }, 'fiscal-submission': { settings: { simulatorUrl: 'https://authority.example.com' } } },
  ],
])('%s renders with %j', (chart, values) => {
  expect(() => renderOne(chart, values)).not.toThrow();
});
