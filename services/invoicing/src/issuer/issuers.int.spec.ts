import { DomainError, streamOf } from '@svc/kernel';
import { callerOf, dataFolder, openSystem } from '../testing/open-system.ts';
import { issuerStream } from './issuers.ts';
import { issuerResource } from './resource.ts';
import { updateIssuer } from './update.ts';

const folder = dataFolder();
const system = openSystem(folder.path);
afterAll(() => {
  system.engine.close();
  folder.remove();
});
const account = () => `acct_${system.ids.next()}`;
const patched = (of: string, patch: Parameters<typeof updateIssuer>[1]['patch'], ifMatch?: string[]) =>
  updateIssuer({ context: system.context, issuers: system.issuers, identity: callerOf(system, of) }, { ifMatch, patch });
const read = async (of: string) => {
  const { state, version } = await system.issuers.current(of, 'test');
  return issuerResource(state, version);
};

describe('issuers', () => {
  test('reading stores nothing; the first change makes version 2', async () => {
    const of = account();
    const before = await read(of);
    expect([before.version, before.object, before.authority]).toEqual([1, 'issuer', 'sandbox']);
    expect(await system.store.read(issuerStream(of, 'test'))).toEqual([]);
    const now = await patched(of, { legal_name: 'Heron SL', default_tax_rate: 7 }, ['1']);
    expect([now.version, now.legal_name, now.default_tax_rate, now.currency, now.created_at]).toEqual([
      2,
      'Heron SL',
      7,
      before.currency,
      before.created_at,
    ]);
    expect(await read(of)).toEqual(now);
    expect((await system.issuers.of(of, 'live')).legal_name).toBeNull();
  });

  test('a stale If-Match is rejected; a patch that changes nothing keeps the version', async () => {
    const of = account();
    expect(await patched(of, {})).toEqual(await read(of));
    await expect(patched(of, { legal_name: 'x' }, ['2'])).rejects.toMatchObject({ code: 'version_conflict' });
    expect(await system.store.read(issuerStream(of, 'test'))).toEqual([]);
  });

  test('`start` can be set until the series has a number', async () => {
    const of = account();
    const { series } = await patched(of, { series: { standard: { code: 'ACME', format: '{series}/{year}/{seq}', start: 41 } } });
    expect(series.standard.start).toBe(41);
    expect((await patched(of, { series: { standard: { start: 42 } } })).series.standard.start).toBe(42);
    const event = { id: system.ids.next(), type: 'NumberTaken', data: {}, metadata: { v: 1, account: of, env: 'test' as const } };
    await system.store.append(streamOf('series', 'test', of, 'ACME.2025'), 'none', [event]);
    const refused = await patched(of, { series: { standard: { start: 7 } } }).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(DomainError);
    expect((refused as DomainError).details).toHaveProperty(['series.standard.start']);
    expect((await patched(of, { series: { standard: { start: 42 }, receipt: { start: 9 } } })).series.receipt.start).toBe(9);
  });
});
