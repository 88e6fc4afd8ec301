import { root } from '@svc/testkit';
import { allPhases, LONGEST_MS, runMixed } from './testing/mixed-releases.ts';
import { releaseBuild, removeOthers } from './testing/release-build.ts';
import { lastReleases } from './testing/release-commit.ts';
import { plant, type Planted } from './testing/release-planted.ts';

const services = ['gateway', 'invoicing', 'fiscal-submission', 'webhooks-dispatcher', 'reporting'];

const builds = new Map<string, string>();
const last = (service: string): string => builds.get(service) as string;
const today = (): string => root;
/**
 * until 0.3: reporting of today reads what invoicing of today publishes, and 0.1.0 does not: invoicing is upgraded before it, and rolled back after it. So the
 * one is not beside the last release of the other.
 */
const besideFirst =
  (service: string) =>
  (other: string): string =>
    service === 'reporting' && other === 'invoicing' ? root : last(other);
const besideLast =
  (service: string) =>
  (other: string): string =>
    service === 'invoicing' && other === 'reporting' ? last(other) : root;

const FIELD = 'next_field:{kept:["x"]}';
/** Builds of a next release: what they store and publish has a field more, and events are more. */
const next: Planted[] = [
  {
    name: 'a field in stored and public events and one public event more',
    service: 'invoicing',
    texts: {
      'InvoiceNumbered", data: { ': `InvoiceNumbered",data:{${FIELD},`,
      '[{ topic: documentTopics[name], type, data: document, entry },': `[{topic:documentTopics[name],type,data:{...document,${FIELD}},entry},...type===updated?[]:[{topic:documentTopics[name],type:updated,data:document,entry}],`,
    },
  },
  {
    name: 'a field in postings and in what is known of documents more',
    service: 'reporting',
    texts: {
      '{ ...posting, stored: ': `{...posting,${FIELD},stored:`,
      'works.flatMap(work => work.known ?? [])': `works.flatMap(work=>work.known?{...work.known,${FIELD}}:[])`,
    },
  },
  {
    name: 'a field in keys, kept answers and the audit and a kind of change more',
    service: 'gateway',
    texts: {
      'rotated_by: command, ': `rotated_by:command,${FIELD},`,
      'version: claim.version + 1, until: 0': `version:claim.version+1,${FIELD},until:0`,
      '(doc.unpublished ?? []).map(': `(doc.unpublished??[]).map(one=>({...one,${FIELD}})).map(`,
      'keyChange(old, "rotated"': 'keyChange(old,"renewed"',
    },
  },
];

beforeAll(async () => {
  const releases = lastReleases([...services, 'authority-simulator'], { from: process.env['MIXED_FROM'] });
  removeOthers(new Set(releases.values()));
  for (const [service, commit] of releases) builds.set(service, await releaseBuild(commit));
}, 1_800_000);

test('the last release of each service is built', () =>
  expect([...builds.keys()].sort()).toEqual([...services, 'authority-simulator'].sort()));

describe('an upgrade and its rollback lose nothing', () => {
  test.each(services)(
    'of %s first, beside the last release of the others, but reporting after invoicing',
    (service) => runMixed({ service, before: last(service), after: root, others: besideFirst(service) }, allPhases),
    LONGEST_MS,
  );
  test.each(services)(
    'of %s last, beside today’s release of the others, but reporting after invoicing',
    (service) => runMixed({ service, before: last(service), after: root, others: besideLast(service) }, allPhases),
    LONGEST_MS,
  );
  test.each(next.map((build) => [build.service, build] as const))(
    'of %s next, which writes more than today’s release beside it knows, and is rolled back',
    async (service, build) => {
      const { folder, remove } = plant(build);
      try {
        await runMixed({ service, before: folder, after: root, others: today }, ['rolling', 'upgraded']);
      } finally {
        remove();
      }
    },
    LONGEST_MS,
  );
});

describe('a release beside which today’s services cannot run is refused, and why is said', () => {
  const planted: [Planted, RegExp[]][] = [
    [
      { name: 'a stored event of an unknown type', service: 'invoicing', texts: { InvoiceNumbered: 'InvoiceCounted' } },
      [/^rolling: invoices without a fiscal code: inv_/, /Invoice(Counted|Numbered) v2, which this release does not know/],
    ],
    [
      {
        name: 'a public event without a field that is read',
        service: 'invoicing',
        texts: { 'data: document,': 'data: { ...document, tax_breakdown: undefined },' },
      },
      [/^rolling: dead letter of reporting\.r2: invoicing\.\w+-\w+\.v1, failed: breakdown is not iterable/],
    ],
    [
      {
        name: 'a stored document that the other release cannot read',
        service: 'webhooks-dispatcher',
        texts: {
          'secret: ring.encrypt(secret)': 'signing_secret: ring.encrypt(secret)',
          'endpoint2.secret': 'endpoint2.signing_secret',
          'made.secret': 'made.signing_secret',
        },
      },
      [/^rolling: webhooks: we_\w+ did not receive \d+ of \d+ events/, /webhook attempt could not be recorded.*not a ciphertext/],
    ],
  ];
  /** Several times as long as the phase of a build that is not refused. */
  const withinMs = 20_000;

  test.each(planted.map(([build, said]) => [build.name, build, said] as const))('%s', async (_name, build, said) => {
    const { folder, remove } = plant(build);
    try {
      const error = await runMixed({ service: build.service, before: folder, after: root, others: today }, ['rolling'], withinMs).then(
        () => new Error('it was not refused'),
        (reason: Error) => reason,
      );
      for (const part of said) expect(error.message).toMatch(part);
    } finally {
      remove();
    }
  });

  test('a planted build says which text it does not find', () =>
    expect(() => plant({ name: 'nothing', service: 'reporting', texts: { 'no such text': '' } })).toThrow(
      'the planted build "nothing" replaces "no such text", which services/reporting/dist does not hold',
    ));
});
