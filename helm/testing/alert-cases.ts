import type { AlertCase, Series } from './alert-case.ts';
import { clocks } from './clock-alert-cases.ts';
import { oneProcess } from './one-process-alert-cases.ts';

/** The values of a series, one every 30 s, as promtool reads them: `0+6x60` is 0, 6, 12 … */
const up = 'svc_server_up';
const requests = 'svc_http_request_seconds_count';
const bucket = (name: string, labels: string, counts: Record<string, string>): Series =>
  Object.fromEntries(Object.entries(counts).map(([le, values]) => [`${name}_bucket{${labels}${labels && ','}le="${le}"}`, values]));
const created = 'route="POST /invoices",status="201"';

const everyService: AlertCase[] = [
  {
    alert: 'MetricsMissing',
    chart: 'reporting',
    fires: { 'process_start_time_seconds{pod="gateway-1"}': '1x240' },
    after: 0,
    labels: { namespace: 'billing' },
    says: 'Prometheus has no metrics of any pod of reporting. It is not running, or is not read; the other alerts of reporting are blind.',
    silent: [{ process_start_time_seconds: '1x240' }],
  },
  {
    alert: 'NotReady',
    chart: 'invoicing',
    fires: { svc_ready: '0x240', 'svc_ready{pod="invoicing-other"}': '0x240' },
    after: 0,
    says: 'No pod of invoicing has been ready for three minutes. What it does is not done for anybody.',
    silent: [{ svc_ready: '0x240', 'svc_ready{pod="invoicing-other"}': '1x240' }, { svc_ready: '0x4 1x236' }],
  },
  {
    alert: 'PodNotReady',
    chart: 'invoicing',
    fires: { svc_ready: '0x240', 'svc_ready{pod="invoicing-other"}': '1x240' },
    after: 0,
    labels: { pod: 'invoicing-7c9f-x2v4z' },
    says: 'The pod invoicing-7c9f-x2v4z has not been ready for 15 minutes. Others do its work, if there are others.',
    silent: [{ svc_ready: '0x20 1x220' }],
  },
  {
    alert: 'Restarts',
    chart: 'gateway',
    fires: { process_start_time_seconds: '1 1 2 2 3 3 4x240' },
    after: 3,
    labels: { pod: 'gateway-7c9f-x2v4z' },
    says: 'The process of gateway-7c9f-x2v4z has started 3 times again within 30 minutes.',
    silent: [{ process_start_time_seconds: '1x20 2x20 3x200' }],
  },
  {
    alert: 'EventLoopLag',
    chart: 'webhooks-dispatcher',
    fires: { nodejs_eventloop_lag_p99_seconds: '0.8x240' },
    after: 0,
    labels: { pod: 'webhooks-dispatcher-7c9f-x2v4z' },
    says: 'The event loop of webhooks-dispatcher-7c9f-x2v4z is 800ms late (99th percentile). Everything that it does is late by that.',
    silent: [{ nodejs_eventloop_lag_p99_seconds: '0.02x240' }, { nodejs_eventloop_lag_p99_seconds: '3x15 0.02x225' }],
  },
  {
    alert: 'MemoryNearLimit',
    chart: 'reporting',
    fires: { process_resident_memory_bytes: '950x240', svc_memory_limit_bytes: '1000x240' },
    after: 0,
    labels: { pod: 'reporting-7c9f-x2v4z' },
    says: 'reporting-7c9f-x2v4z uses 95% of the memory that it may use; above it the kernel kills it.',
    silent: [{ process_resident_memory_bytes: '850x240', svc_memory_limit_bytes: '1000x240' }],
  },
  {
    alert: 'MetricsUnread',
    chart: 'reporting',
    fires: { 'svc_metrics_unread_total{metric="svc_dead_letters"}': '0+1x240' },
    after: 2,
    labels: { metric: 'svc_dead_letters' },
    says: 'svc_dead_letters was omitted 20 times in ten minutes: alerts that rest on it are blind.',
    silent: [{ 'svc_metrics_unread_total{metric="svc_dead_letters"}': '0 1 2 2x238' }],
  },
];

const unreachable = (alert: string, chart: string, server: string, name: string): AlertCase => ({
  ...{ alert, chart, after: 0 },
  fires: { [`${up}{server="${server}"}`]: '0x240' },
  says: `No pod of ${chart} gets an answer of ${name} as it needs it. /readyz of the operators’ port has the reason.`,
  silent: [{ [`${up}{server="${server}"}`]: '0x3 1x237' }, { [`${up}{server="other"}`]: '0x240', [`${up}{server="${server}"}`]: '1x240' }],
});

const servers: AlertCase[] = [
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

const events: AlertCase[] = [
  {
    alert: 'DeadLetters',
    chart: 'reporting',
    fires: {
      'svc_dead_letters{group="reporting",reason="failed"}': '0x10 2x230',
      'svc_dead_letters{group="reporting",reason="failed",pod="reporting-other"}': '0x10 2x230',
    },
    after: 5.5,
    labels: { group: 'reporting', reason: 'failed' },
    says: '2 events of reporting are dead letters (failed). What they say has not happened here, and waits for an operator.',
    silent: [
      { 'svc_dead_letters{group="reporting",reason="failed"}': '0x240' },
      { 'svc_dead_letters{group="reporting",reason="unknown_type"}': '5x240' },
    ],
  },
  {
    alert: 'DeadLettersOld',
    chart: 'reporting',
    fires: { 'svc_dead_letters_oldest_seconds{group="reporting",reason="failed"}': '0x10 612000+30x230' },
    after: 5.5,
    labels: { group: 'reporting', reason: 'failed' },
    says: 'The oldest dead letter of reporting (failed) is there for 7d 2h 1m 0s. It stays until it is redriven or dropped.',
    silent: [{ 'svc_dead_letters_oldest_seconds{group="reporting",reason="failed"}': '590000+30x240' }],
  },
  {
    alert: 'UnknownEvents',
    chart: 'reporting',
    fires: { 'svc_dead_letters{group="reporting",reason="unknown_type"}': '5x240' },
    after: 0,
    labels: { group: 'reporting' },
    says: '5 events of reporting are of a type that no running process knows, and all later ones of their subjects wait behind them.',
    silent: [{ 'svc_dead_letters{group="reporting",reason="unknown_type"}': '5x100 0x140' }],
  },
  {
    alert: 'ConsumerLag',
    chart: 'reporting',
    fires: { 'svc_consumer_lag_events{group="reporting",topic="invoicing.invoice"}': '20000x240' },
    after: 0,
    labels: { group: 'reporting', topic: 'invoicing.invoice' },
    says: 'The group reporting is 20000 events behind on invoicing.invoice.',
    silent: [
      { 'svc_consumer_lag_events{group="reporting",topic="invoicing.invoice"}': '9000x240' },
      { 'svc_consumer_lag_events{group="reporting",topic="invoicing.invoice"}': '20000-1000x19 0x220' },
    ],
  },
  {
    alert: 'SubscriptionLag',
    chart: 'invoicing',
    fires: { 'svc_subscription_lag_seconds{subscription="invoicing.publishing"}': '0+30x240' },
    after: 1.5,
    labels: { subscription: 'invoicing.publishing' },
    says: 'invoicing.publishing is 6m 30s behind the event store. Behind a relay (publishing) nothing happens; a list shows nothing new.',
    silent: [
      { 'svc_subscription_lag_seconds{subscription="invoicing.publishing"}': '2x240' },
      { 'svc_subscription_lag_seconds{subscription="invoicing.publishing"}': '0+30x8 0x231' },
      // A read model that is built from the start of the store, and the pod that stands by.
      {
        'svc_subscription_lag_seconds{subscription="invoices_v9"}': '30000000-100000x240',
        'svc_subscription_lag_seconds{subscription="invoices_v9",pod="invoicing-other"}': '0x240',
      },
    ],
  },
];

const gateway: AlertCase[] = [
  {
    alert: 'ApiErrors',
    chart: 'gateway',
    fires: { [`${requests}{${created}}`]: '0+60x240', [`${requests}{route="POST /invoices",status="503"}`]: '0+6x240' },
    after: 0.5,
    says: '9.091% of the requests of two minutes were answered 5xx.',
    silent: [
      { [`${requests}{${created}}`]: '0+60x240', [`${requests}{route="POST /invoices",status="503"}`]: '0+2x240' },
      { [`${requests}{${created}}`]: '0+60x240', [`${requests}{route="POST /invoices",status="422"}`]: '0+60x240' },
      { [`${requests}{route="POST /invoices",status="500"}`]: '0 1 2 2x238' },
    ],
  },
  {
    alert: 'ApiSlow',
    chart: 'gateway',
    fires: bucket('svc_http_request_seconds', created, { 1: '0+10x240', 2.5: '0+10x240', 5: '0+20x240', '+Inf': '0+20x240' }),
    after: 0.5,
    says: 'One of twenty writes takes longer than 4.75s.',
    silent: [
      bucket('svc_http_request_seconds', created, { 1: '0+20x240', 2.5: '0+20x240', 5: '0+20x240', '+Inf': '0+20x240' }),
      // Clients let it wait for the authority.
      bucket('svc_http_request_seconds', 'route="POST /invoices/{id}/submit",status="200"', {
        10: '0x240',
        30: '0+20x240',
        '+Inf': '0+20x240',
      }),
    ],
  },
  {
    alert: 'UpstreamFailing',
    chart: 'gateway',
    fires: { 'svc_proxy_failures_total{upstream="invoicing",kind="unreached"}': '0+3x240' },
    after: 2,
    labels: { upstream: 'invoicing' },
    says: '30 requests to invoicing got no answer in five minutes; some were repeated, the others failed.',
    silent: [
      { 'svc_proxy_failures_total{upstream="invoicing",kind="leaving"}': '0+3x240' },
      { 'svc_proxy_failures_total{upstream="invoicing",kind="cut"}': '0 4 8 8x238' },
    ],
  },
];

const invoicing: AlertCase[] = [
  {
    alert: 'ReadBarrierTimeouts',
    chart: 'invoicing',
    fires: { svc_read_barrier_timeouts_total: '0+2x240' },
    after: 1.5,
    says: '20 lists in five minutes were refused, because their read model did not reach the newest event in 5 s.',
    silent: [{ svc_read_barrier_timeouts_total: '0 2 4 4x238' }],
  },
  {
    alert: 'DocumentsStuck',
    chart: 'invoicing',
    fires: { svc_unfinished_failures_total: '0+6x240' },
    after: 2,
    says: 'Documents that were left between steps cannot be brought on, 84 tries in ten minutes. They are neither drafts nor numbered.',
    silent: [{ svc_unfinished_failures_total: '0 6 12 12x238' }],
  },
  {
    alert: 'NumbersRefused',
    chart: 'invoicing',
    fires: { 'svc_numbers_total{outcome="taken"}': '0+1x240', 'svc_numbers_total{outcome="refused"}': '0+3x240' },
    after: 1,
    says: '75% of the requests for a number were refused in 15 minutes, because of the series or the date.',
    silent: [
      { 'svc_numbers_total{outcome="taken"}': '0+5x240', 'svc_numbers_total{outcome="refused"}': '0+3x240' },
      { 'svc_numbers_total{outcome="taken"}': '0x240', 'svc_numbers_total{outcome="refused"}': '0 2 4 4x238' },
    ],
  },
];

const al = 'authority="al-cis"';
const expiry = `svc_authority_certificate_expiry_timestamp_seconds{${al},env="live"}`;
const authority = { authority: 'al-cis' };
const ofLive = { ...authority, env: 'live' };
const DAY = 86_400;
const oldest = `svc_submissions_oldest_seconds{${al},env="live"}`;
const circuit = (env: string): string => `svc_authority_circuit_open{${al},env="${env}"}`;
const clockOf = (env: string): string => `svc_authority_clock_difference_seconds{${al},env="${env}"}`;
const live = (outcome: string): string => `svc_submissions_total{${al},env="live",outcome="${outcome}"}`;

const certificates: AlertCase[] = [
  {
    alert: 'AuthorityCertificateExpiresThisWeek',
    chart: 'fiscal-submission',
    severity: 'critical',
    fires: { [expiry]: `${6 * DAY}x240` },
    after: 0,
    labels: ofLive,
    says: 'The certificate of al-cis for live documents expires in 5d 23h 0m 0s. Nobody has renewed it in time.',
    silent: [{ [expiry]: `${8 * DAY}x240` }, { [expiry]: `-${DAY}x240` }],
  },
  {
    alert: 'AuthorityCertificateExpired',
    chart: 'fiscal-submission',
    severity: 'critical',
    fires: { [expiry]: '600x240' },
    after: 10,
    labels: ofLive,
    says: 'The certificate of al-cis for live documents has expired; nothing is sent to it.',
    silent: [{ [expiry]: `${DAY}x240` }],
  },
];
/** The same where test documents go, be it by the name of a live authority. */
const ofTests = (one: AlertCase): AlertCase =>
  JSON.parse(JSON.stringify({ ...one, severity: 'warning' }).replaceAll('live', 'test')) as AlertCase;

const fiscal: AlertCase[] = [
  ...certificates,
  ...certificates.map(ofTests),
  {
    alert: 'AwaitingAuthority',
    chart: 'fiscal-submission',
    fires: { [oldest]: '3600+30x240' },
    after: 0.5,
    labels: ofLive,
    says: 'A document has waited for al-cis for 1h 5m 30s.',
    silent: [{ [oldest]: '1800x240' }, { [`svc_submissions_oldest_seconds{${al},env="test"}`]: '9000x240' }],
  },
  {
    alert: 'AuthorityUnreachable',
    chart: 'fiscal-submission',
    fires: { [circuit('live')]: '1x240', [circuit('test')]: '0x240' },
    after: 0,
    labels: ofLive,
    says: 'Calls of al-cis for live documents are suspended but for one every 30 seconds, because none is answered.',
    silent: [{ [circuit('live')]: '0x240' }, { [circuit('live')]: '1x9 0x231', [circuit('test')]: '0x9 1x9 0x222' }],
  },
  {
    alert: 'AuthoritySlow',
    chart: 'fiscal-submission',
    fires: bucket('svc_authority_seconds', al, { 5: '0+1x240', 10: '0+20x240', '+Inf': '0+20x240' }),
    after: 0.5,
    labels: authority,
    says: 'One of twenty calls of al-cis takes longer than 9.737s; a call is given up after 10 s.',
    silent: [bucket('svc_authority_seconds', al, { 1: '0+20x240', 5: '0+20x240', 10: '0+20x240', '+Inf': '0+20x240' })],
  },
  {
    alert: 'AuthorityClockDiffers',
    chart: 'fiscal-submission',
    fires: { [clockOf('live')]: '2x240', [clockOf('test')]: '-40x240' },
    after: 0,
    labels: { ...authority, env: 'test' },
    says: 'The clock of a machine differs from that of al-cis for test documents by 40s.',
    silent: [{ [clockOf('live')]: '20x240', [clockOf('test')]: '-20x240' }],
  },
  {
    alert: 'AuthorityRejects',
    chart: 'fiscal-submission',
    fires: { [live('rejected')]: '0+3x240', [live('registered')]: '0+1x240' },
    after: 1,
    labels: authority,
    says: 'al-cis has rejected 75% of the documents of 30 minutes.',
    silent: [
      { [live('rejected')]: '0+1x240', [live('registered')]: '0+3x240' },
      { [live('rejected')]: '0 2 4 4x238', [live('registered')]: '0x240' },
    ],
  },
  {
    alert: 'AuthorityFindsErrors',
    chart: 'fiscal-submission',
    fires: { [`svc_submissions_flawed_total{${al},env="live"}`]: '0+1x240' },
    after: 0.5,
    labels: authority,
    says: 'al-cis has registered 11 documents of an hour whose records it finds wrong.',
    silent: [
      { [`svc_submissions_flawed_total{${al},env="live"}`]: '0x240' },
      { [`svc_submissions_flawed_total{${al},env="test"}`]: '0+1x240' },
    ],
  },
  {
    alert: 'NeedsReview',
    chart: 'fiscal-submission',
    fires: { [`svc_submissions_in_review{${al},env="live"}`]: '1x240' },
    after: 0,
    labels: authority,
    says: '1 documents for al-cis will not be sent again: it has another record under their number, or the time to send them is over.',
    silent: [{ [`svc_submissions_in_review{${al},env="live"}`]: '0x240' }, { [`svc_submissions_in_review{${al},env="test"}`]: '1x240' }],
  },
  {
    alert: 'ChainsClosed',
    chart: 'fiscal-submission',
    fires: {
      'svc_chains_closed{authority="es-verifactu",env="live"}': '2x240',
      'svc_chains_closed{authority="es-verifactu",env="test"}': '0x240',
    },
    after: 0,
    labels: { authority: 'es-verifactu', env: 'live' },
    says: '2 chains of live records for es-verifactu are closed since the system was restored, until an operator says how they go on.',
    silent: [
      { 'svc_chains_closed{authority="es-verifactu",env="live"}': '0x240' },
      { 'svc_chains_closed{authority="es-verifactu",env="live"}': '2x20 0x220' },
    ],
  },
  {
    alert: 'AuthorityCertificateExpiresSoon',
    chart: 'fiscal-submission',
    fires: { [expiry]: `${29 * DAY}x240` },
    after: 0,
    labels: ofLive,
    says: 'The certificate of al-cis for live documents expires in 28d 23h 0m 0s.',
    silent: [{ [expiry]: `${32 * DAY}x240` }, { [expiry]: `-${DAY}x240` }],
  },
];

const webhooks: AlertCase[] = [
  {
    alert: 'WebhookBacklog',
    chart: 'webhooks-dispatcher',
    fires: { svc_webhook_due_lag_seconds: '301+30x240' },
    after: 0,
    says: 'A delivery that was due has waited for 10m 1s, though its endpoint answers.',
    silent: [{ svc_webhook_due_lag_seconds: '60x240' }, { svc_webhook_due_lag_seconds: '600x8 0x232' }],
  },
  {
    alert: 'WebhooksFailing',
    chart: 'webhooks-dispatcher',
    fires: { 'svc_webhook_attempts_total{outcome="no_answer"}': '0+6x240', 'svc_webhook_attempts_total{outcome="succeeded"}': '0+2x240' },
    after: 2,
    says: '75% of the attempts of 15 minutes failed.',
    silent: [
      { 'svc_webhook_attempts_total{outcome="no_answer"}': '0+6x240', 'svc_webhook_attempts_total{outcome="succeeded"}': '0+20x240' },
      { 'svc_webhook_attempts_total{outcome="no_answer"}': '0 5 10 10x238', 'svc_webhook_attempts_total{outcome="succeeded"}': '0x240' },
    ],
  },
  {
    alert: 'WebhookEndpointsDisabledSoon',
    chart: 'webhooks-dispatcher',
    fires: {
      'svc_webhook_endpoints_failing{disabled_within="1d"}': '2x240',
      'svc_webhook_endpoints_failing{disabled_within="5d"}': '3x240',
    },
    after: 0,
    says: '2 endpoints have failed for four days, and receive nothing more after the fifth.',
    silent: [
      { 'svc_webhook_endpoints_failing{disabled_within="1d"}': '0x240', 'svc_webhook_endpoints_failing{disabled_within="5d"}': '3x240' },
      { 'svc_webhook_endpoints_failing{disabled_within="1d"}': '1x10 0x230' },
    ],
  },
];

export const alertCases: AlertCase[] = [
  ...everyService,
  ...servers,
  ...events,
  ...gateway,
  ...invoicing,
  ...clocks,
  ...fiscal,
  ...webhooks,
  ...oneProcess,
];
