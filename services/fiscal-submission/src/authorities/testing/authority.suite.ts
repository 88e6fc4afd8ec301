import { createHash, randomUUID } from 'node:crypto';
import type { RegistrationRequested } from '@svc/contracts/registration/requested';
import { systemClock } from '@svc/kernel';
import type { Opened, SentRecord } from '../../submission/domain/facts.ts';
import type { Registered } from '../../submission/domain/state.ts';
import type { Authority, Completion, Envelope, Message, Ours, Unsigned } from '../../submission/authority.ts';
import { send } from '../../submission/send.ts';
import { type Http, outgoingHttp, type Tls, withClient } from '../../sending/http.ts';
import type { Signed } from '../../signing/signer.ts';

export interface Tested {
  authority: Authority;
  /** A document of a taxpayer that the authority takes; two with another total differ in nothing else. */
  request: (of: { taxpayer: string; number: string; total?: number }) => RegistrationRequested;
  /** A number that no other document has, in the authority's form. */
  number: () => string;
  /** What answers: a simulator over the network, else one in this process. */
  http?: Http;
  /** Signs with the key of every taxpayer; absent where the authority needs none. */
  sign?: (text: string) => Signed;
  /** As whom connections are made. */
  client?: Tls['client'];
}

/** What holds of every authority's adapter: its needs are true, a record never changes, and documents of one taxpayer are never taken for another's. */
export function authoritySuite(open: () => Tested): void {
  let tested: Tested;
  let authority: Authority;
  const outgoing = outgoingHttp(systemClock);
  beforeEach(() => {
    tested = open();
    ({ authority } = tested);
  });
  afterAll(() => outgoing.close());

  const number = (): string => tested.number();
  const http: Http = (request) => withClient(tested.http ?? outgoing.http, tested.client)(request);
  const signature = (text: string): Signed => {
    if (!tested.sign) throw new Error(`${authority.id} signs, and the suite has no key for it`);
    return tested.sign(text);
  };
  const signedMessage = (rendered: Message | Unsigned): Message =>
    'text' in rendered ? rendered.signedWith(signature(rendered.text)) : rendered;

  function prepared(request: RegistrationRequested) {
    const draft = authority.record(request);
    const at = request.issued_at;
    const of = { document: request.document_id, round: 1, operation: 'register' as const };
    const link = authority.link ? { ...of, position: 1, at, previous: null, ...authority.link(draft, null, at) } : null;
    const completion: Completion = { link, signature: authority.signed ? signature(authority.signed(draft)) : null };
    return { ...authority.complete(draft, completion), deadline: authority.deadline(request.issued_at, request.late_reason) };
  }

  /** A document of a taxpayer; all have the same tax id. */
  function documentOf(taxpayer: string, under: string, total?: number) {
    const request = tested.request({ taxpayer, number: under, ...(total === undefined ? {} : { total }) });
    const { document_id, kind } = request;
    const opened: Opened = {
      ...{ document_id, kind, round: 1, authority: authority.id, number: request.number },
      ...{ issuer_tax_id: request.issuer.tax_id ?? '', simulate: null, traceparent: null },
    };
    const record = prepared(request);
    const envelope = (): Envelope => ({
      ...{ taxpayer: `test.${taxpayer}`, id: randomUUID() },
      ...{ sentAt: new Date(systemClock.now()).toISOString(), repeated: false, firstSentAt: null },
    });
    const ours = (registered: boolean, record_sha256 = record.sha256): Ours => ({ record_sha256, registered, reference: record.reference });
    const sent = async (rendered: Message | Unsigned | undefined, about: Ours) =>
      (await send(authority, signedMessage(rendered as Message | Unsigned), about, http)).result;
    const registration = { code: 'ours', record_sha256: record.sha256, reference: record.reference } as Registered;
    const cancellation = { sequence: 1, reason: 'entered twice', simulate: null, ...annulling(request, registration) };
    const cancelling = (of?: string): Ours => ({ ...ours(true, of), reference: (cancellation.record ?? record).reference });
    return {
      request,
      record,
      message: (over: Partial<Envelope> = {}) => signedMessage(authority.render(opened, record, { ...envelope(), ...over })),
      submit: () => sent(authority.render(opened, record, envelope()), ours(false)),
      query: () => sent(authority.query?.(opened, ours(false), envelope()), ours(false)),
      /** Whether its registration was cancelled. */
      queryCancelled: (of?: string) => sent(authority.query?.(opened, cancelling(of), envelope()), cancelling(of)),
      cancel: (of?: string) => sent(authority.cancel?.(opened, registration, cancellation, envelope()), cancelling(of)),
    };
  }

  /** The record of a cancellation behind its own registration; none where cancellations are no records. */
  function annulling({ document_id: document, issued_at: at }: RegistrationRequested, registration: Registered): { record?: SentRecord } {
    const { cancellations } = authority;
    if (!cancellations) return {};
    const link = { ...{ document, round: 1, operation: 'cancel' as const, position: 2, at, previous: null } };
    return { record: cancellations.record(registration, { ...link, ...cancellations.link(registration, null, at) }) };
  }

  /** A doubt is settled by a query where the authority has one. */
  async function settled(document: ReturnType<typeof documentOf>) {
    const result = await document.submit();
    return result.kind === 'unknown' && authority.needs.query ? document.query() : result;
  }
  const another = createHash('sha256').update('another record').digest('hex');

  test('has what it says that it needs, and nothing else', () => {
    const { needs, query, cancel, chain, link, signed } = authority;
    const has = { query: query !== undefined, cancel: cancel !== undefined, chain: link !== undefined && chain !== undefined };
    expect(has).toEqual({ query: needs.query, cancel: needs.cancel, chain: needs.chain });
    expect(authority.cancellations !== undefined).toBe(needs.chain && needs.cancel);
    expect(needs.batch > 1).toBe(authority.batch !== undefined);
    expect(link === undefined).toBe(chain === undefined);
    expect(signed === undefined || needs.signature === 'message').toBe(true);
    expect(authority.deadline('2026-03-01T10:00:00.000Z', null) !== null).toBe(needs.deadline);
  });

  test('makes one record of one document, and another of another total; what is printed is in it', () => {
    const under = number();
    const [one, same, other] = [documentOf('a', under), documentOf('a', under), documentOf('a', under, 99)];
    expect(same.record).toEqual(one.record);
    expect(other.record.sha256).not.toBe(one.record.sha256);
    expect(one.record.sha256).toBe(createHash('sha256').update(one.record.record).digest('hex'));
    expect(new URL(one.record.verification_url).protocol).toMatch(/^https?:$/);
  });

  test('sends the record in every message; its id is new each time', () => {
    const document = documentOf('a', number());
    const [first, second] = [document.message(), document.message({ repeated: true })];
    expect(first.id).not.toBe(second.id);
    expect(authority.needs.signature !== 'message' || first.body !== second.body).toBe(true);
    expect(document.record).toEqual(documentOf('a', document.request.number).record);
  });

  test.each(['', '<', '{', '<html><body>Bad gateway</body></html>', 'null', '{}'])(
    'trusts no answer that is %j, with whatever status',
    async (text) => {
      const document = documentOf('a', number());
      for (const status of [200, 400, 500]) {
        const answers = async () => ({ status, headers: {}, body: Buffer.from(text) });
        const about = { record_sha256: document.record.sha256, registered: false };
        const { result } = await send(authority, document.message(), about, answers);
        expect(result.kind).toBe('unknown');
      }
    },
  );

  test('two taxpayers with one number and one tax id are registered, each under a code of its own', async () => {
    const under = number();
    const results = [await documentOf('a', under).submit(), await documentOf('b', under, 99).submit()];
    expect(results).toMatchObject([{ kind: 'registered' }, { kind: 'registered' }]);
    expect(new Set(results.map((result) => (result as { code: string }).code)).size).toBe(2);
  });

  test('what is sent again is registered once', async () => {
    const document = documentOf('a', number());
    const results = [await document.submit(), await settled(document)];
    expect(results).toMatchObject([{ kind: 'registered' }, { kind: 'registered' }]);
    const codes = results.map((result) => result as { code: string; code_kind?: string });
    if (new Set(codes.map(({ code_kind }) => code_kind)).size === 1) expect(new Set(codes.map(({ code }) => code)).size).toBe(1);
  });

  test('what another taxpayer has registered is absent', async () => {
    if (!authority.needs.query) return;
    const under = number();
    await documentOf('a', under).submit();
    expect(await documentOf('b', under).query()).toEqual({ kind: 'absent' });
  });

  test('a cancellation ends the own registration alone', async () => {
    if (!authority.needs.cancel) return;
    const under = number();
    const [one, other] = [documentOf('a', under), documentOf('b', under)];
    expect((await one.cancel()).kind).not.toBe('cancelled');
    await one.submit();
    await other.submit();
    expect(await one.cancel()).toMatchObject({ kind: 'cancelled' });
    expect(await one.queryCancelled()).toMatchObject({ kind: 'cancelled' });
    expect(await other.queryCancelled()).toEqual({ kind: 'absent' });
  });

  test('another record under the own number is foreign, and is not cancelled', async () => {
    const under = number();
    const [registered, wrong] = [documentOf('a', under), documentOf('a', under, 99)];
    await registered.submit();
    expect(await settled(wrong)).toMatchObject({ kind: 'foreign' });
    if (authority.needs.query) expect(await wrong.query()).toMatchObject({ kind: 'foreign' });
    if (!authority.needs.cancel || authority.cancellations) return; // An annulment of a chain names a number, and no record.
    expect(await wrong.cancel()).toMatchObject({ kind: 'refused' });
    expect(await registered.queryCancelled()).toEqual({ kind: 'absent' });
  });

  test('an answer about another record ends no cancellation', async () => {
    if (!authority.needs.cancel || authority.cancellations) return;
    const document = documentOf('a', number());
    await document.submit();
    expect(await document.cancel(another)).toMatchObject({ kind: 'unknown', error: { code: 'foreign_answer' } });
    expect(await document.queryCancelled(another)).toMatchObject({ kind: 'unknown' });
  });
}
