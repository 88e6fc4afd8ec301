import type { AlertCase } from '../alert-case.ts';

export const events: AlertCase[] = [
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
