import { submit } from '../authorities/testing/shop.ts';
import { answerWithCertificate } from './testing/runbooks/ending-certificate.ts';
import { follow, type Fault } from './testing/runbooks/follow.ts';
import { type LiveSystem, ofAlbania, openDocument, startLiveSystem } from './testing/runbooks/live-system.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

let live: LiveSystem;
beforeAll(async () => void (live = await startLiveSystem()));
afterEach(async () => {
  await live.authorities.comeBack();
  await live.authorities.withoutFaults();
  await allRight();
});
afterAll(() => live?.stop());

const document = openDocument();
const registered = () => document.untilRegistered(live.albania);
const submitted = () => document.submit(live.albania);
const allRight = async (): Promise<void> => {
  await live.clock.setAhead(0);
  await live.authorities.setAhead(0);
};

const DAY_S = 86_400;
const EXPIRY = ofAlbania('svc_authority_certificate_expiry_timestamp_seconds');
/** It is looked at once a minute. */
let minutes = 0;
const minuteLater = (): Promise<void> => live.clock.setAhead(MINUTE_MS * (minutes += 1.1));

/** Of an authority whose certificate ends in so many days, fewer than the alert takes for too few. */
function certificateFault(page: string, days: number, tooFew: number): Fault {
  let isAgain: () => Promise<void>;
  const end = new Date(Date.now() + days * DAY_S * 1_000).toUTCString();
  return {
    page,
    async plant() {
      isAgain = await answerWithCertificate(live.authorities, 'al-cis', days);
      await minuteLater();
    },
    fires: (sum) => sum(EXPIRY) > 0 && sum(EXPIRY) - Date.now() / 1_000 < tooFew * DAY_S,
    values: () => ({ 'HOST=authority.example.gov': 'HOST=127.0.0.1', ':443': `:${new URL(live.authorities.origin('al-cis')).port}` }),
    sees: () => [
      new RegExp(`expiry_timestamp_seconds\\{authority="al-cis",env="live"\\} ${Math.floor(Date.parse(end) / 1e7)}`),
      /subject=.*of a server/,
      new RegExp(`notAfter=${end.slice(8, 11)}.*${end.slice(12, 16)} GMT`),
    ],
    async mend() {
      await isAgain();
      await minuteLater();
    },
  };
}

const faults: Fault[] = [
  certificateFault('AuthorityCertificateExpiresThisWeek', 3, 7),
  certificateFault('AuthorityCertificateExpiresSoon', 20, 30),
  {
    page: 'AuthorityUnreachable',
    async plant() {
      await live.authorities.leave();
      await Promise.all(Array.from({ length: 12 }, submitted));
    },
    fires: (sum) => sum(ofAlbania('svc_authority_circuit_open')) === 1,
    values: () => ({ 'process.env.SIMULATOR_URL + "/healthz"': JSON.stringify(live.authorities.origin('al-cis')) }),
    sees: () => [/svc_authority_circuit_open\{authority="al-cis",env="live"\} 1/, 'ECONNREFUSED'],
    mend: () => live.authorities.comeBack(),
  },
  {
    page: 'AwaitingAuthority',
    async plant() {
      await live.authorities.leave();
      await submitted();
      await live.clock.setAhead(2 * HOUR_MS);
    },
    fires: (sum) => sum(ofAlbania('svc_submissions_oldest_seconds')) > 3_600,
    sees: () => [document.id(), /outcome="deferred"\} [1-9]/],
    async mend() {
      await live.clock.setAhead(0);
      await live.authorities.comeBack();
      await live.runbooks.run('AwaitingAuthority', 'submissions wake', { 'inv_…': document.id() });
      await registered();
    },
  },
  {
    page: 'DeadlineSoon',
    async plant() {
      await live.authorities.leave();
      await submitted();
      const { body } = await live.albania.call<{ fiscal: { deadline_at: string } }>('GET', `/invoices/${document.id()}`);
      await live.clock.setAhead(Date.parse(body.fiscal.deadline_at) - 6 * HOUR_MS - Date.now());
    },
    fires: (sum) => sum(ofAlbania('svc_submissions_deadline_soon')) > 0,
    sees: () => [document.id()],
    async mend() {
      await live.authorities.comeBack();
      await live.clock.setAhead(0);
      await live.runbooks.run('DeadlineSoon', 'submissions retry');
      await registered();
    },
  },
  {
    page: 'RegistrationBudget',
    async plant() {
      await live.authorities.leave();
      await submitted();
      await live.clock.setAhead(2 * MINUTE_MS);
      await live.authorities.comeBack();
      await live.authorities.setAhead(2 * MINUTE_MS);
    },
    fires: (sum) =>
      sum(ofAlbania('svc_registration_seconds_count')) > sum(/^svc_registration_seconds_bucket\{le="60",authority="al-cis",env="live"/),
    sees: () => [/svc_registration_seconds_sum\{authority="al-cis",env="live"\} \d/, /outcome="deferred"\} [1-9]/, 'svc_submissions_due 0'],
    mend: allRight,
    ends: () => submitted().then(registered),
  },
  {
    page: 'AuthorityRefusesTime',
    async plant() {
      await live.authorities.setAhead(5 * MINUTE_MS);
      await submitted();
    },
    fires: (sum) => sum(ofAlbania('svc_authority_clock_held')) === 1,
    sees: () => [/clock_difference_seconds\{authority="al-cis",env="live"\} -(?:29|30)\d/, 'an authority refuses messages for their time'],
    async mend() {
      await allRight();
      await registered();
    },
  },
  {
    page: 'AuthorityClockDiffers',
    async plant() {
      await live.authorities.setAhead(45_000);
      await submitted();
    },
    fires: (sum) => Math.abs(sum(ofAlbania('svc_authority_clock_difference_seconds'))) > 30,
    sees: () => [/clock_difference_seconds\{authority="al-cis",env="live"\} -4\d/],
    async mend() {
      await allRight();
      await submitted();
    },
  },
  {
    page: 'AuthoritySlow',
    async plant() {
      await live.authorities.fault(live.albania, 'slow:6000');
      await submitted();
    },
    fires: (sum) =>
      sum(ofAlbania('svc_authority_seconds_count')) > sum(/^svc_authority_seconds_bucket\{le="5",authority="al-cis",env="live"/),
    sees: () => [
      /svc_authority_seconds_bucket\{le="5",authority="al-cis",env="live"\}/,
      'svc_submissions_oldest_seconds',
      'nodejs_eventloop_lag_p99',
    ],
    mend: registered,
    ends: () => Promise.resolve(), // what was slow stays counted
  },
  {
    page: 'ClockSkew',
    async plant() {
      await live.clock.setAhead(30 * MINUTE_MS);
      expect((await submit(live.albania, {})).status).toBe(503);
    },
    fires: (sum) => sum(/^svc_clock_skew_seconds\{witness="127/) > 120,
    sees: () => [/svc_clock_skew_seconds\{witness="127\.0\.0\.1:\d+"\} 1[78]\d\d/, 'UTC'],
    mend: allRight,
    ends: () => submitted().then(registered),
  },
  {
    page: 'ClockUnconfirmed',
    async plant() {
      await live.authorities.leave();
      await live.again();
    },
    fires: (sum) => sum(/^svc_clock_unconfirmed/) === 1,
    sees: () => ['another clock does not say what time it is'],
    mend: () => live.authorities.comeBack(),
  },
];

test.each(faults)('$page: its commands find the fault, and what it says ends it', (fault) => follow(fault, live.system, live.runbooks));
