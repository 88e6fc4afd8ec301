import type { AlertCase } from '../alert-case.ts';
import { bucket } from './buckets.ts';

const al = 'authority="al-cis"';
const expiry = `svc_authority_certificate_expiry_timestamp_seconds{${al},env="live"}`;
const authority = { authority: 'al-cis' };
const ofLive = { ...authority, env: 'live' };
const DAY = 86_400;
const oldest = `svc_submissions_oldest_seconds{${al},env="live"}`;
const circuit = (env: string): string => `svc_authority_circuit_open{${al},env="${env}"}`;
const failing = (env: string): string => `svc_submissions_failing{${al},env="${env}"}`;
const clockOf = (env: string): string => `svc_authority_clock_difference_seconds{${al},env="${env}"}`;
const held = (env: string): string => `svc_authority_clock_held{${al},env="${env}"}`;
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

export const fiscal: AlertCase[] = [
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
    fires: bucket('svc_authority_seconds', `${al},env="live"`, { 5: '0+1x240', 10: '0+20x240', '+Inf': '0+20x240' }),
    after: 0.5,
    labels: ofLive,
    says: 'One of twenty calls of al-cis for live documents takes longer than 9.737s; a call is given up after 10 s.',
    silent: [bucket('svc_authority_seconds', `${al},env="live"`, { 1: '0+20x240', 5: '0+20x240', 10: '0+20x240', '+Inf': '0+20x240' })],
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
    alert: 'AuthorityRefusesTime',
    chart: 'fiscal-submission',
    fires: { [held('live')]: '1x240', [held('test')]: '0x240' },
    after: 0,
    labels: ofLive,
    says: 'al-cis has refused a message for live documents for its time; they wait until the clocks agree.',
    silent: [{ [held('live')]: '0x240' }, { [held('live')]: '1x9 0x231' }],
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
    says: 'al-cis finds the records of 11 documents of an hour wrong: registered with errors, or refused as malformed.',
    silent: [
      { [`svc_submissions_flawed_total{${al},env="live"}`]: '0x240' },
      { [`svc_submissions_flawed_total{${al},env="test"}`]: '0+1x240' },
    ],
  },
  {
    alert: 'AuthorityFailsAtRecord',
    chart: 'fiscal-submission',
    fires: { [failing('live')]: '1x240', [circuit('live')]: '0x240' },
    after: 0,
    labels: ofLive,
    says: 'al-cis has answered at least five times in a row that it cannot take the records of 1 documents, or in a way that cannot be trusted.',
    silent: [
      { [failing('live')]: '0x240', [circuit('live')]: '0x240' },
      { [failing('test')]: '1x240', [circuit('live')]: '0x240' },
      { [failing('live')]: '1x240', [circuit('live')]: '1x240' },
    ],
  },
  {
    alert: 'DeadlineSoon',
    chart: 'fiscal-submission',
    severity: 'critical',
    fires: { [`svc_submissions_deadline_soon{${al},env="live"}`]: '3x240' },
    after: 0,
    labels: authority,
    says: 'al-cis takes 3 documents that have no fiscal code for at most 12 hours more.',
    silent: [
      { [`svc_submissions_deadline_soon{${al},env="live"}`]: '0x240' },
      { [`svc_submissions_deadline_soon{${al},env="test"}`]: '3x240' },
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
