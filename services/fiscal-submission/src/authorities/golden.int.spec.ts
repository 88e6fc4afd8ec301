import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { RegistrationRequested } from '@svc/contracts/registration/requested';
import { iso, millisOf } from '@svc/kernel';
import { linkAfter, type ChainLink } from '../chain/domain/link.ts';
import type { Authority, Envelope, Message, Unsigned } from '../submission/authority.ts';
import type { Registered } from '../submission/domain/state.ts';
import { schemaOf, schemas } from '../xml/testing/schema.ts';
import { alCis } from './al-cis/al-cis.ts';
import { esVerifactu } from './es-verifactu/es-verifactu.ts';
import { meEfi } from './me-efi/me-efi.ts';
import { testAnchors } from './test-certificates.ts';
import { goldenDocuments, goldenShapes } from './testing/golden-documents.ts';
import { publishedSigner } from './testing/published.ts';
import { hasXmlsec, verifyByXmlsec } from './testing/xmlsec.ts';

// Each message as it is sent, byte for byte. After a change that is meant: GOLDEN=write npm test -- golden, and read the difference.
const folder = join(import.meta.dirname, '../../fixtures/golden');
const isWriting = process.env['GOLDEN'] === 'write';

const of = { origin: 'https://service.test', page: 'https://page.test' };
const trusting = (id: keyof typeof testAnchors) => ({ ...of, trust: { anchors: [testAnchors[id]], signer: 'Test service' } });
const producer = { name: 'Test producer', nif: '89890001K', system: 'Invoicing platform', id: '01', version: '0.2' };
const authorities = new Map<string, object>([
  ['al-cis', alCis(trusting('al-cis'))],
  ['es-verifactu', esVerifactu({ ...of, producer })],
  ['me-efi', meEfi(trusting('me-efi'))],
]);
const LATE_MS = 200_000;
const ID = '01984d2e-1c2b-7abc-8def-001122334455';

type AuthorityId = keyof typeof testAnchors;
const authorityOf = (id: string): Authority => {
  const found = authorities.get(id);
  if (!found) throw new Error(`${id} is not served`);
  return found as Authority;
};
const envelopeAt = (sentAt: string): Envelope => ({ taxpayer: 'test.a', id: ID, sentAt, repeated: false, firstSentAt: null });

function bodyOf(id: string, rendered: Message | Unsigned): string {
  const message = 'text' in rendered ? rendered.signedWith(publishedSigner(id)(rendered.text)) : rendered;
  return message.body ?? '';
}

/** The record with the first link of its chain, where the authority has one. */
function preparedOf(id: string, request: RegistrationRequested) {
  const authority = authorityOf(id);
  const draft = authority.record(request);
  const of = { document: 'inv_1', round: 1, operation: 'register' as const };
  const first = (previous: ChainLink['previous'], at: string) => authority.link?.(draft, previous, at) ?? { hash: '', cited: {} };
  const link = authority.link ? linkAfter(undefined, of, request.issued_at, first) : null;
  const signature = authority.signed ? publishedSigner(id)(authority.signed(draft)) : null;
  return { link, record: { ...authority.complete(draft, { link, signature }), deadline: null } };
}

function registration(id: string, request: RegistrationRequested, isLate: boolean): string {
  const sentAt = isLate ? iso(millisOf(request.issued_at) + LATE_MS) : request.issued_at;
  return bodyOf(id, authorityOf(id).render({} as never, preparedOf(id, request).record, envelopeAt(sentAt)));
}

/** Annuls what is registered, where the authority has a record for that. */
function annulment(id: string, request: RegistrationRequested): string {
  const { cancellations, cancel } = authorityOf(id);
  if (!cancellations || !cancel) return registration(id, request, false);
  const { link, record: registered } = preparedOf(id, request);
  const of = { document: 'inv_1', round: 1, operation: 'cancel' as const };
  const about = { ...registered, reference: registered.reference } as unknown as Registered;
  const next = linkAfter(link ?? undefined, of, request.issued_at, (previous, at) => cancellations.link(about, previous, at));
  const record = cancellations.record(about, next);
  return bodyOf(id, cancel({} as never, about, { record } as never, envelopeAt(request.issued_at)));
}

const messageOf = (id: string, shape: string, request: RegistrationRequested): string =>
  shape === 'void' ? annulment(id, request) : registration(id, request, shape === 'late');

function goldenOf(id: string, shape: string, message: string): string {
  const file = join(folder, id, `${shape.replaceAll(' ', '-')}.xml`);
  if (isWriting) {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, message);
  }
  return readFileSync(file, 'utf8');
}

const rows = Object.entries(goldenDocuments).flatMap(([id, documents]) =>
  Object.entries(documents).map(([shape, request]) => [id as AuthorityId, shape, messageOf(id, shape, request)] as const),
);
const signed = rows.filter(([id]) => id !== 'es-verifactu');

test.each([...authorities.keys()])('%s is sent all shapes but those that it cannot say', (id) => {
  const cannot = id === 'me-efi' ? ['reverse charge'] : [];
  expect(Object.keys(goldenDocuments[id] ?? {}).sort()).toEqual(goldenShapes.filter((shape) => !cannot.includes(shape)).sort());
});

test.each(rows)('%s, %s: each byte is as before', (id, shape, message) => expect(message).toBe(goldenOf(id, shape, message)));

// Without FISCAL_XSD_DIR there are no schemas: they are not ours to give on.
(schemas ? test : test.skip).each(rows)('%s, %s: is valid by the published schema', (id, _shape, message) =>
  schemaOf(`${id.slice(0, 2)}/all.xsd`)(message),
);

// xmlsec1 is a package of Debian, which .ci/run installs; npm installs none.
(hasXmlsec ? test : test.skip).each(signed)('%s, %s: another program verifies its signature', (id, _shape, message) =>
  verifyByXmlsec(message, 'RegisterInvoiceRequest', testAnchors[id]),
);

// As above: without xmlsec1 nothing else verifies.
(hasXmlsec ? test : test.skip)('another program finds one changed digit', () => {
  const [id, , message] = signed[0] as (typeof signed)[number];
  const changed = message.replace('TotPrice="120.60"', 'TotPrice="120.61"');
  expect(changed).not.toBe(message);
  expect(() => verifyByXmlsec(changed, 'RegisterInvoiceRequest', testAnchors[id])).toThrow('Error');
});
