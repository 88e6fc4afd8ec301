import type { AlertCase } from '../alert-case.ts';

const up = 'svc_server_up';

const unreachable = (alert: string, chart: string, server: string, name: string): AlertCase => ({
  ...{ alert, chart, after: 0 },
  fires: { [`${up}{server="${server}"}`]: '0x240' },
  says: `No pod of ${chart} gets an answer of ${name} as it needs it. /readyz of the operators’ port has the reason.`,
  silent: [{ [`${up}{server="${server}"}`]: '0x3 1x237' }, { [`${up}{server="other"}`]: '0x240', [`${up}{server="${server}"}`]: '1x240' }],
});

export const servers: AlertCase[] = [
  unreachable('MongoDbUnreachable', 'gateway', 'mongodb', 'MongoDB'),
  unreachable('KafkaUnreachable', 'invoicing', 'kafka', 'Kafka'),
  unreachable('EventStoreUnreachable', 'fiscal-submission', 'eventstoredb', 'EventStoreDB'),
  {
    alert: 'StoreFailing',
    chart: 'invoicing',
    fires: { 'svc_store_failures_total{store="eventstoredb",operation="write"}': '0+1x240' },
    after: 1,
    labels: { store: 'eventstoredb', operation: 'write' },
    says: '4 times in two minutes eventstoredb did not do a write, after all retries: it is full, denies the user or does not answer.',
    silent: [{ 'svc_store_failures_total{store="eventstoredb",operation="write"}': '0 1 2 3 3x236' }],
  },
  {
    alert: 'DecryptionFailures',
    chart: 'webhooks-dispatcher',
    fires: { svc_decryption_failures_total: '0 1x240' },
    after: 0.5,
    says: 'No key of SECRETS_KEY decrypts what webhooks-dispatcher has stored, 1 failures in ten minutes.',
    silent: [{ svc_decryption_failures_total: '0x240' }],
  },
];
