import { randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { client, eventually } from '@svc/testkit';
import { submit, untilStatus } from '../authorities/testing/shop.ts';
import { sleep } from './testing/retrying-client.ts';
import { follow, type Fault } from './testing/runbooks/follow.ts';
import { type LiveSystem, ofAlbania, openDocument, OPS_TOKEN, startLiveSystem } from './testing/runbooks/live-system.ts';

let live: LiveSystem;
beforeAll(async () => void (live = await startLiveSystem()));
afterEach(() => live.authorities.withoutFaults());
afterAll(() => live?.stop());

const document = openDocument();
const inAlbania = () => document.submit(live.albania);
const inSpain = (body?: object) => document.submit(live.spain, body);
const command = (page: string, words: string, values = {}) => live.runbooks.run(page, words, values);
const SAMPLE = 'inv_01k9zq3r7te8v9x0a1b2c3d401';
let chain = '';

const secretsFile = (): string => join(live.system().dataDir, 'data', 'secrets.json');
const rename = (file: string, from: string, to: string): void => writeFileSync(file, readFileSync(file, 'utf8').replace(from, to));
let ownKey = '';
/** Keys of personal data are read again after this time. */
const KEYS_KEPT_MS = 6_000;
const otherKey = randomBytes(32).toString('base64');

const faults: Fault[] = [
  {
    page: 'DecryptionFailures',
    /** The system is given the key of another one. */
    async plant() {
      await live.again();
      [, ownKey = ''] = /"v1:([^,"]+)/.exec(readFileSync(secretsFile(), 'utf8')) ?? [];
      rename(secretsFile(), ownKey, otherKey);
      await live.runbooks.svc('secrets rotate');
      await sleep(KEYS_KEPT_MS);
      const change = () => live.albania.call('PATCH', `/customers/${live.albania.customer_id}`, { body: { name: 'Blue Door' } });
      await eventually(async () => (await change()).status === 500, 'what cannot be decrypted');
    },
    fires: (sum) => sum(/^svc_decryption_failures_total/) > 0,
    sees: () => [/svc_decryption_failures_total [1-9]/, /no key of the ring decrypts what was encrypted as v\d/, /^v1\nv2$/m],
    mend: () => live.again(async () => rename(secretsFile(), otherKey, ownKey)),
    ends: () => inAlbania().then(() => document.untilRegistered(live.albania)),
  },
  {
    page: 'AuthorityFailsAtRecord',
    async plant() {
      await live.authorities.fault(live.spain, 'fault_client:4103', 1_000);
      await inSpain();
    },
    fires: (sum) => sum(/^svc_submissions_failing\{authority="es-verifactu",env="live"/) === 1,
    sees: () => [document.id(), '4103'],
    async mend() {
      await command('AuthorityFailsAtRecord', 'submissions give-up', { [SAMPLE]: document.id() });
      await untilStatus(live.spain, document.last(), 'failed');
    },
  },
  {
    page: 'AuthorityFindsErrors',
    async plant() {
      await live.authorities.fault(live.spain, 'accepted_with_errors:2005');
      await inSpain();
    },
    fires: (sum) => sum(/^svc_submissions_flawed_total\{authority="es-verifactu",env="live"/) > 0,
    sees: () => [document.id(), 'finds the record of a document wrong', '2005'],
    async mend() {
      await document.untilRegistered(live.spain);
      const amend = 'submissions amend --authority es-verifactu --code 2005';
      await eventually(async () => (await command('AuthorityFindsErrors', amend)).includes(document.id()), 'it is listed');
      expect(await command('AuthorityFindsErrors', `${amend} --confirm`)).toMatch(/"asked": ?true/);
    },
    ends: () =>
      eventually(async () => {
        const { body } = await live.spain.call<{ fiscal: { warnings?: object[] } }>('GET', `/invoices/${document.id()}`);
        return body.fiscal.warnings === undefined;
      }, 'the document shows no warning'),
  },
  {
    page: 'AuthorityRejects',
    async plant() {
      await live.authorities.fault(live.albania, 'reject', 6);
      for (let n = 0; n < 6; n += 1) await inAlbania();
    },
    fires: (sum) => sum(/^svc_submissions_total\{authority="al-cis",env="live",outcome="rejected"/) > 5,
    sees: () => [document.id(), /outcome="rejected"\} [6-9]/, 'a document was rejected'],
    mend: () => live.albania.call('POST', `/invoices/${document.id()}/submit`),
    ends: () => document.untilRegistered(live.albania),
  },
  {
    page: 'NeedsReview',
    async plant() {
      await live.authorities.fault(live.albania, 'duplicate_foreign');
      await inAlbania();
    },
    fires: (sum) => sum(ofAlbania('svc_submissions_in_review')) === 1,
    sees: () => [document.id(), 'a document needs a review'],
    async mend() {
      await command('NeedsReview', 'submissions resolve', { 'inv_…': document.id() });
      await document.untilRegistered(live.albania);
    },
  },
  {
    page: 'NumbersRefused',
    async plant() {
      await inSpain();
      for (let n = 0; n < 6; n += 1) await inSpain({ issue_date: '2026-01-31' });
    },
    fires: (sum) => sum(/^svc_numbers_total\{.*outcome="refused"/) > 5,
    sees: () => [/svc_numbers_total\{.*outcome="refused".*\} [6-9]/, '"fields":["issue_date"]'],
    async mend() {
      expect(await command('NumbersRefused', 'series list')).toContain('"data"');
      await inSpain();
    },
    ends: () => document.untilRegistered(live.spain),
  },
  {
    page: 'ChainsClosed',
    /** A restored system, whose series is open again. */
    async plant() {
      await inSpain();
      await document.untilRegistered(live.spain);
      await live.again(() => live.runbooks.svc('restored'));
      await eventually(async () => (await submit(live.spain, {})).status === 503, 'the series is closed');
      const operators = client(`${live.system().ops}/admin`, OPS_TOKEN);
      const { data } = (await operators<{ data: { series: string; last: number | null }[] }>('GET', '/series')).body;
      for (const { series, last } of data) await operators('POST', '/series/raise', { body: { series, last: last ?? 0, confirm: true } });
      await inSpain();
    },
    fires: (sum) => sum(/^svc_chains_closed\{authority="es-verifactu",env="live"/) === 1,
    sees: () => [/chain-live\.acct_/, /"awaited": ?true/],
    async mend() {
      [chain = ''] = /chain-live\.acct_\w+[^"\s]*/.exec(await live.runbooks.look('ChainsClosed')) ?? [];
      const compared = { 'chain-live.acct_…': chain, '2026-11': new Date().toISOString().slice(0, 7) };
      expect(await command('ChainsClosed', 'chains compare', compared)).toContain('lost');
      await command('ChainsClosed', 'chains restart', { 'chains restart': `chains restart --chain ${chain} --confirm true` });
      await document.untilRegistered(live.spain);
    },
  },
];

test.each(faults)('$page: its commands find the fault, and what it says ends it', (fault) => follow(fault, live.system, live.runbooks));
