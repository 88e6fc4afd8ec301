import { createHash, randomUUID } from 'node:crypto';
import { systemClock } from '@svc/kernel';
import { registrationRequested } from '../../testing/system.ts';
import type { Opened } from '../../submission/domain/facts.ts';
import type { Registered } from '../../submission/domain/state.ts';
import type { Authority, Message, Ours, Reply } from '../../submission/authority.ts';
import { outgoingHttp } from '../outgoing.ts';

/** What holds of every authority's adapter: documents of one taxpayer are never taken for those of another. */
export function authoritySuite(open: () => Authority): void {
  let authority: Authority;
  const outgoing = outgoingHttp(systemClock);
  beforeEach(() => {
    authority = open();
  });
  afterAll(() => outgoing.close());

  const number = (): string => `INV-${randomUUID()}`;
  /** A document of a taxpayer; all have the same tax id. */
  function documentOf(taxpayer: string, under: string, total = 120.6) {
    const asked = registrationRequested(`inv_${taxpayer}`);
    const request = { ...asked, number: under, document: { ...asked.document, total } } as typeof asked;
    const issuer_tax_id = request.issuer.tax_id ?? '';
    const { document_id, kind } = request;
    const opened: Opened = {
      document_id,
      kind,
      round: 1,
      authority: authority.id,
      number: under,
      issuer_tax_id,
      simulate: null,
      traceparent: null,
    };
    const prepared = { ...authority.prepare(request), deadline: null };
    const envelope = () => ({ taxpayer: `test.${taxpayer}`, id: randomUUID(), sentAt: '2026-03-01T10:00:00.000Z', repeated: false });
    const ours = (registered: boolean, record_sha256 = prepared.sha256): Ours => ({ record_sha256, registered });
    const sent = async (message: Message | undefined, about: Ours): Promise<Reply['result']> =>
      (await authority.send(message as Message, about, outgoing.http)).result;
    const registration = { code: 'ours', record_sha256: prepared.sha256 } as Registered;
    const cancellation = { sequence: 1, reason: 'entered twice', simulate: null };
    return {
      submit: () => sent(authority.render(opened, prepared, envelope()), ours(false)),
      query: () => sent(authority.query?.(opened, prepared.sha256, envelope()), ours(false)),
      /** Whether its registration was cancelled. */
      queryCancelled: (record?: string) => sent(authority.query?.(opened, prepared.sha256, envelope()), ours(true, record)),
      cancel: (record?: string) => sent(authority.cancel?.(opened, registration, cancellation, envelope()), ours(true, record)),
    };
  }
  const another = createHash('sha256').update('another record').digest('hex');

  test('two taxpayers with one number and one tax id are registered, each under a code of its own', async () => {
    const under = number();
    const results = [await documentOf('a', under).submit(), await documentOf('b', under, 99).submit()];
    expect(results).toMatchObject([{ kind: 'registered' }, { kind: 'registered' }]);
    expect(new Set(results.map((result) => (result as { code: string }).code)).size).toBe(2);
  });

  test('what another taxpayer has registered is absent', async () => {
    const under = number();
    await documentOf('a', under).submit();
    expect(await documentOf('b', under).query()).toEqual({ kind: 'absent' });
  });

  test('a cancellation reaches the own registration alone', async () => {
    const under = number();
    const [one, other] = [documentOf('a', under), documentOf('b', under)];
    expect(await one.cancel()).toMatchObject({ kind: 'refused' });
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
    expect([await wrong.submit(), await wrong.query()]).toMatchObject([{ kind: 'foreign' }, { kind: 'foreign' }]);
    expect(await wrong.cancel()).toMatchObject({ kind: 'refused' });
    expect(await registered.queryCancelled()).toEqual({ kind: 'absent' });
  });

  test('an answer about another record ends no cancellation', async () => {
    const document = documentOf('a', number());
    await document.submit();
    expect(await document.cancel(another)).toMatchObject({ kind: 'unknown', error: { code: 'foreign_answer' } });
    expect(await document.queryCancelled(another)).toMatchObject({ kind: 'unknown' });
  });
}
