import { get, render, type Values } from '../testing/render.ts';
import { productCharts } from '../testing/services.ts';

const settings = (chart: string, values?: Values): Record<string, string> => get(render(chart, values), 'ConfigMap').data;

describe.each(productCharts)('the settings of %s', (chart) => {
  test('are what the values give, else what the charts share, else absent', () => {
    expect(settings(chart)).toMatchObject({
      PORT: '3000',
      OPS_PORT: '3001',
      HOST: '0.0.0.0',
      KAFKA_BROKERS: 'kafka-1:9092,kafka-2:9093',
      PUBLIC_URL: 'https://api.example.com',
    });
    expect(settings(chart)).not.toHaveProperty('LOG_LEVEL');
    const shared = { global: { settings: { logLevel: 'warn', namespace: 'blue' } } };
    expect(settings(chart, shared)).toMatchObject({ LOG_LEVEL: 'warn', NAMESPACE: 'blue' });
    expect(settings(chart, { ...shared, settings: { logLevel: 'debug', linger: '3s' } })).toMatchObject({
      LOG_LEVEL: 'debug',
      NAMESPACE: 'blue',
      LINGER: '3s',
    });
  });

  test('hold no credentials', () => {
    expect(Object.keys(settings(chart)).filter((name) => /SECRET|TOKEN|KEYS|MONGODB|EVENT_STORE/.test(name))).toEqual([]);
  });

  test.each(['publicUrl', 'kafkaBrokers'])('without %s are an error that names both places where it may be', (name) => {
    const values = { global: { settings: { [name]: '' } } };
    expect(() => render(chart, values)).toThrow(`${chart}: settings.${name} is empty, and global.settings.${name} is too`);
  });
});

test('the gateway finds the services by their names, and refuses http from a trusted proxy', () => {
  expect(settings('gateway')).toMatchObject({
    INVOICING_URL: 'http://invoicing:3000',
    FISCAL_SUBMISSION_URL: 'http://fiscal-submission:3000',
    WEBHOOKS_URL: 'http://webhooks-dispatcher:3000',
    REPORTING_URL: 'http://reporting:3000',
    REQUIRE_HTTPS: 'true',
  });
  expect(settings('gateway', { settings: { requireHttps: false } })).toMatchObject({ REQUIRE_HTTPS: 'false' });
});

test('the gateway knows hosts and proxies from the ingress', () => {
  const hosts = [{ host: 'api.example.com', kind: 'live' }, { host: 'sandbox.example.com', kind: 'sandbox' }, { host: 'any.example.com' }];
  expect(settings('gateway', { ingress: { hosts, trustedProxies: ['10.244.0.0/16', 'fd00::/8'] } })).toMatchObject({
    HOSTS: 'api.example.com=live,sandbox.example.com=sandbox',
    TRUSTED_PROXIES: '10.244.0.0/16,fd00::/8',
  });
  expect(settings('gateway')).not.toHaveProperty('HOSTS');
});

test('how long documents are kept is a setting', () => {
  expect(settings('webhooks-dispatcher')).toMatchObject({ WEBHOOKS_KEEP_DAYS: '30' });
  expect(settings('webhooks-dispatcher', { settings: { webhooksKeepDays: 60 } })).toMatchObject({ WEBHOOKS_KEEP_DAYS: '60' });
  expect(settings('fiscal-submission')).toMatchObject({ WIRE_LOG_KEEP_DAYS: '3650' });
});

test.each([
  [
    'gateway',
    { demoPlan: 'enterprise', setupFile: '/app/data/setup.json' },
    { DEMO_PLAN: 'enterprise', SETUP_FILE: '/app/data/setup.json' },
  ],
  ['fiscal-submission', { authorityPace: 'fast' }, { AUTHORITY_PACE: 'fast' }],
  [
    'webhooks-dispatcher',
    { webhooksAllow: 'http://receiver:9000', webhooksRetryDelays: '1s,2s' },
    { WEBHOOKS_ALLOW: 'http://receiver:9000', WEBHOOKS_RETRY_DELAYS: '1s,2s' },
  ],
])('%s has settings for development only where they are enabled', (chart, development, variables) => {
  const one = chart === 'gateway' ? { replicas: 1 } : {}; // Each replica would make an account.
  expect(settings(chart, { ...one, development: { enabled: true, ...development } })).toMatchObject(variables);
  for (const name of Object.keys(variables)) expect(settings(chart)).not.toHaveProperty(name);
});
