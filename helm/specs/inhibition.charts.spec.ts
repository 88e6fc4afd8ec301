import { inhibits } from '../testing/inhibition.ts';
import { alertNames } from '../testing/rules.ts';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const alert = (alertname: string, labels: Record<string, string> = {}) => ({ alertname, namespace: 'shop', ...labels });
const of = (service: string) => ({ service });

test.each([
  [
    'its own MongoDB explains a service that is not ready',
    alert('MongoDbUnreachable', of('gateway')),
    alert('NotReady', of('gateway')),
    true,
  ],
  ['that of another service does not', alert('MongoDbUnreachable', of('reporting')), alert('NotReady', of('gateway')), false],
  [
    'the event store of invoicing explains errors of the API',
    alert('EventStoreUnreachable', of('invoicing')),
    alert('ApiErrors', of('gateway')),
    true,
  ],
  ['what only reports need does not', alert('NotReady', of('reporting')), alert('ApiErrors', of('gateway')), false],
  ['in one process, which has no label of a service, it does', alert('MongoDbUnreachable'), alert('ApiErrors'), true],
  [
    'another system explains nothing',
    { ...alert('EventStoreUnreachable', of('invoicing')), namespace: 'staging' },
    alert('ApiErrors', of('gateway')),
    false,
  ],
  [
    'an expired certificate explains documents that wait for that authority',
    alert('AuthorityCertificateExpired', { authority: 'al-cis' }),
    alert('AwaitingAuthority', { authority: 'al-cis' }),
    true,
  ],
  [
    'and not those of another one',
    alert('AuthorityCertificateExpired', { authority: 'sandbox' }),
    alert('AwaitingAuthority', { authority: 'al-cis' }),
    false,
  ],
  ['Kafka explains a relay that stands still', alert('KafkaUnreachable', of('invoicing')), alert('SubscriptionLag', of('invoicing')), true],
  ['Kafka explains no error of the API', alert('KafkaUnreachable', of('gateway')), alert('ApiErrors', of('gateway')), false],
  [
    'invoicing that is not ready explains that the gateway does not reach it',
    alert('NotReady', of('invoicing')),
    alert('UpstreamFailing', { service: 'gateway', upstream: 'invoicing' }),
    true,
  ],
  [
    'and not that it does not reach another service',
    alert('NotReady', of('invoicing')),
    alert('UpstreamFailing', { service: 'gateway', upstream: 'reporting' }),
    false,
  ],
  ['a consequence explains no cause', alert('ApiErrors', of('gateway')), alert('EventStoreUnreachable', of('gateway')), false],
])('%s', (_what, source, target, expected) => expect(inhibits(source, target)).toBe(expected));

test('the rules name alerts that are there', () => {
  const text = readFileSync(join(import.meta.dirname, '..', '..', 'deploy', 'monitoring', 'inhibit-rules.yaml'), 'utf8');
  const named = [...text.matchAll(/alertname=~?"([^"]+)"/g)].flatMap(([, names = '']) => names.split('|'));
  expect(named.filter((name) => !alertNames().includes(name))).toEqual([]);
});
