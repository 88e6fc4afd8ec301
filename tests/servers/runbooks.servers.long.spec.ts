import { type FaultyConnection, faultyConnection } from '@svc/document-store/testing/faulty-connection';
import {
  client,
  databasesOf,
  eventually,
  newNamespace,
  serversFromEnvironment,
  startAs,
  withMongo,
  type Call,
  type System,
} from '@svc/testkit';
import { openClock } from '../e2e/testing/runbooks/clock-file.ts';
import { follow, type Fault } from '../e2e/testing/runbooks/follow.ts';
import { openRunbooks, type Runbooks } from '../e2e/testing/runbooks/runbook.ts';

const OPS_TOKEN = 'a-token-for-operators-at-night-012345';

const namespace = newNamespace();
const servers = serversFromEnvironment();
const clock = openClock();
let mongo: FaultyConnection;
let system: System;
let runbooks: Runbooks;
let customer: string;
/** One process, which has its documents in MongoDB. */
beforeAll(async () => {
  mongo = await faultyConnection(servers.mongodbUrl);
  const env = { MONGODB_URL: mongo.url, NAMESPACE: namespace, OPS_TOKEN, LOG_LEVEL: 'info', ...clock.env };
  system = await startAs('one process', env);
  runbooks = openRunbooks(() => system, OPS_TOKEN);
  customer = (await call<{ id: string }>('POST', '/customers', { body: { name: 'Heron' } })).body.id;
});
afterEach(async () => {
  mongo.stall(false);
  mongo.refuse(undefined);
  await clock.setAhead(0);
});
afterAll(async () => {
  runbooks?.remove();
  await system?.stop();
  await mongo?.close();
  clock.remove();
  await withMongo(servers, async (all) => {
    for (const name of await databasesOf(all, { namespace })) await all.db(name).dropDatabase();
  });
});

const call: Call = (...request) => client(`${system.url}/v1`, system.setup.test_key)(...request);
const create = () => call('POST', '/invoices', { body: { customer_id: customer, items: [{ description: 'x', unit_price: 1 }] } });
const list = () => call('GET', '/invoices');
const isListed = async (): Promise<boolean> => (await list()).status === 200;
const mongoUp = /^svc_server_up\{.*server="mongodb"/;
const writesFailed = /^svc_store_failures_total\{store="mongodb",operation="write"/;
/** Every write names it. */
const WRITES = 'writeConcern';
/** Every row of a list has it. */
const ROWS = 'resource';
const [UNAUTHORIZED, NOT_ACCEPTED] = [13, 18];

const faults: (Fault & { how: string })[] = [
  {
    page: 'StoreFailing',
    how: 'it takes no writes',
    async plant() {
      mongo.refuse(WRITES, UNAUTHORIZED);
      for (let n = 0; n < 5; n += 1) await call('POST', '/customers', { body: { name: 'Heron' } });
    },
    fires: (sum) => sum(writesFailed) > 1,
    sees: () => [/store="mongodb",operation="write"\} [1-9]/, /"level":50.*MongoDB does not let/],
    mend: async () => mongo.refuse(undefined),
    ends: () => eventually(async () => (await call('POST', '/customers', { body: { name: 'Heron' } })).status === 201, 'a customer'),
  },
  {
    page: 'MongoDbUnreachable',
    how: 'it hangs',
    async plant() {
      mongo.stall(true);
      await eventually(() => system.output().includes('MongoDB does not answer'), 'its log');
    },
    fires: (sum) => sum(mongoUp) === 0,
    sees: () => [/"mongodb": "[^"]*(?:does not answer|no answer)/, /\[pod\].*MongoDB (?:does not answer|has not answered)/],
    async mend() {
      const reached = { 27017: new URL(servers.mongodbUrl).port, 'mongodb-0.mongodb': '127.0.0.1' };
      expect(await runbooks.run('MongoDbUnreachable', 'node -e', reached)).toContain('reached');
      mongo.stall(false);
    },
    ends: () => eventually(isListed, 'a list'),
  },
  {
    page: 'MongoDbUnreachable',
    how: 'it takes another password',
    plant: async () => mongo.refuse('ping', NOT_ACCEPTED),
    fires: (sum) => sum(mongoUp) === 0,
    sees: () => [/"mongodb": "[^"]*password/],
    mend: async () => mongo.refuse(undefined),
  },
  {
    page: 'SubscriptionLag',
    how: 'its rows cannot be written',
    async plant() {
      mongo.refuse(ROWS, UNAUTHORIZED);
      await create();
      await clock.setAhead(120_000);
    },
    fires: (sum) => sum(/^svc_subscription_lag_seconds/) > 60,
    sees: () => [/svc_subscription_lag_seconds\{subscription="invoicing\.invoices_v\d+"\} 1[12]\d/, /MongoDB does not let.*a batch failed/],
    async mend() {
      mongo.refuse(undefined);
      await clock.setAhead(0);
    },
  },
];

test.each(faults)('$page, where $how: its commands find the fault, and what it says ends it', (fault) =>
  follow(fault, () => system, runbooks),
);
