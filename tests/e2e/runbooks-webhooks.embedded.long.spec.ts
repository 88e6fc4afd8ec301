import { client, eventually, startReceiver, startSystem, type Call, type System } from '@svc/testkit';
import { openClock } from './testing/runbooks/clock-file.ts';
import { follow, type Fault } from './testing/runbooks/follow.ts';
import { OPS_TOKEN } from './testing/runbooks/live-system.ts';
import { openRunbooks, type Runbooks } from './testing/runbooks/runbook.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

const clock = openClock();
let receiver: Awaited<ReturnType<typeof startReceiver>>;
let system: System;
let runbooks: Runbooks;
beforeAll(async () => {
  receiver = await startReceiver(() => subscriber());
  system = await startSystem({ OPS_TOKEN, LOG_LEVEL: 'info', WEBHOOKS_ALLOW: receiver.origin, ...clock.env });
  runbooks = openRunbooks(() => system, OPS_TOKEN);
});
afterAll(async () => {
  runbooks?.remove();
  await system?.stop();
  await receiver?.close();
  clock.remove();
});

const call: Call = (...request) => client(`${system.url}/v1`, system.setup.test_key)(...request);
/** What the subscriber answers. */
let subscriber: () => number | Promise<number> = () => 200;
let endpoint: string;
const CUSTOMERS = 40;
/** Opens an endpoint and makes events for it. */
async function events(): Promise<void> {
  endpoint = (await call<{ id: string }>('POST', '/webhooks', { body: { url: `${receiver.origin}/hook`, events: ['*'] } })).body.id;
  for (let n = 0; n < CUSTOMERS; n += 1) await call('POST', '/customers', { body: { name: `Customer ${n}` } });
}

let answered: () => void;
/** More deliveries are due than the subscriber answers, and the time goes on. */
async function late(ms: number): Promise<void> {
  const waiting = new Promise<number>((resolve) => (answered = () => resolve(200)));
  subscriber = () => waiting;
  const before = receiver.deliveries.length;
  await events();
  await eventually(() => receiver.deliveries.length > before, 'the first deliveries');
  await clock.setAhead(ms);
}
/** The subscriber answers, and the time is right again. */
async function onTime(): Promise<void> {
  subscriber = () => 200;
  answered?.();
  await clock.setAhead(0);
  await call('POST', '/customers', { body: { name: 'Last' } });
}

const faults: Fault[] = [
  {
    page: 'WebhookBacklog',
    plant: () => late(6 * MINUTE_MS),
    fires: (sum) => sum(/^svc_webhook_due_lag_seconds/) > 300,
    sees: () => [/svc_webhook_due_lag_seconds 3\d\d/, /"status": ?"ok"/],
    mend: onTime,
  },
  {
    page: 'WebhookBudget',
    async plant() {
      await late(MINUTE_MS);
      answered();
    },
    fires: (sum) => sum(/^svc_webhook_first_attempt_seconds_count/) > sum(/^svc_webhook_first_attempt_seconds_bucket\{le="10"/),
    sees: () => [/svc_webhook_attempt_seconds_sum \d/, 'svc_webhook_first_attempt_seconds_bucket', 'svc_subscription_lag_seconds'],
    mend: onTime,
    ends: () => Promise.resolve(), // what was late stays counted
  },
  {
    page: 'WebhookEndpointsDisabledSoon',
    async plant() {
      subscriber = () => 500;
      await events();
      await eventually(async () => (await runbooks.svc('endpoints list --failing true')).includes(endpoint), 'an attempt');
      await clock.setAhead(108 * HOUR_MS);
    },
    fires: (sum) => sum(/^svc_webhook_endpoints_failing\{disabled_within="1d"/) > 0,
    sees: () => [/disabled_within="1d"\} [1-9]/, endpoint, 'it answered 500'],
    mend: onTime,
  },
];

test.each(faults)('$page: its commands find the fault, and what it says ends it', (fault) => follow(fault, () => system, runbooks));
