import { client, eventually, runProgram, startSystem, type System } from '@svc/testkit';
import { OPS_TOKEN } from '../e2e/testing/shared/shared-system.ts';
import * as shops from './testing/shop.ts';

const { atAuthority, line, openShop, registered, submit, untilFiscal, untilStatus } = shops;

let system: System;
beforeAll(async () => {
  system = await startSystem({ OPS_TOKEN });
});
afterAll(() => system.stop());

/** `svc admin submissions …`, and what it prints. */
async function admin(...args: string[]): Promise<Record<string, unknown>> {
  const env = { OPS_PORT: new URL(system.ops).port, OPS_TOKEN };
  const { code, output } = await runProgram({
    file: 'services/standalone/dist/bundle/svc.mjs',
    args: ['admin', 'submissions', ...args],
    env,
  });
  if (code !== 0) throw new Error(output);
  return JSON.parse(output) as Record<string, unknown>;
}
const script = (fault: object) => client(system.simulator)('POST', '/faults', { body: { authority: 'es-verifactu', times: 1, ...fault } });

type Invoice = { fiscal: { warnings?: object[] } };

test('what Spain registers with errors is amended by a command, once', async () => {
  const shop = await openShop(system, 'es-verifactu');
  await script({ tax_id: shop.tax_id, fault: 'accepted_with_errors:2005' });
  const invoice = await registered(shop);
  expect((await shop.call<Invoice>('GET', `/invoices/${invoice.id}`)).body.fiscal.warnings).toMatchObject([{ code: '2005' }]);
  const of = ['amend', '--authority', 'es-verifactu', '--code', '2005', '--livemode', 'false'];
  const listed = await eventually(async () => {
    const page = await admin(...of);
    return (page['documents'] as object[]).length > 0 && page;
  }, 'it is listed');
  expect(listed).toMatchObject({ done: false, documents: [{ document: invoice.id, asked: false }], next: null });
  expect(await admin(...of, '--confirm', 'true')).toMatchObject({ done: true, documents: [{ document: invoice.id, asked: true }] });
  await eventually(async () => (await atAuthority(system, shop)).rows[0]?.state === 'Correcta', 'it is right at the authority');
  await eventually(async () => ((await admin(...of))['documents'] as object[]).length === 0, 'nothing is left');
  expect(await atAuthority(system, shop)).toMatchObject({ rows: [{ number: invoice.number, records: 2 }], breaks: [] });
  const mended = await eventually(async () => {
    const { body } = await shop.call<Invoice>('GET', `/invoices/${invoice.id}`);
    return body.fiscal.warnings === undefined && body;
  }, 'the document shows no warning');
  expect(mended).toMatchObject({ status: 'submitted', fiscal: { code: invoice.fiscal?.code, status: 'registered' } });
  const { body: history } = await shop.call<{ data: { type: string }[] }>('GET', `/invoices/${invoice.id}/events`);
  expect(history.data.at(-1)).toMatchObject({ type: 'updated' });
  await expect(admin('amend', '--authority', 'es-verifactu', '--code', '2004')).rejects.toThrow('es-verifactu');
  await expect(admin(...of, '--limit', '1000')).rejects.toThrow('--limit');
});

test('a record that is refused with its message is failed, says what to do, and is submitted again under its number', async () => {
  const shop = await openShop(system, 'es-verifactu');
  await script({ tax_id: shop.tax_id, fault: 'fault_client:4102' });
  const { body: sent } = await submit(shop, { items: [line()] });
  const failed = await untilStatus(shop, sent, 'failed');
  const { body } = await shop.call<{ fiscal: { next: { operation: string } } }>('GET', `/invoices/${sent.id}`);
  expect(failed.fiscal?.error).toMatchObject({ code: '4102', fixable: 'setup' });
  expect(body.fiscal.next.operation).toBe('submit');
  const other = await registered(shop);
  await shop.call('POST', `/invoices/${sent.id}/submit`);
  const again = await untilFiscal(shop, sent);
  expect(again.number).toBe(failed.number);
  const { rows, breaks } = await atAuthority(system, shop);
  expect([rows.map(({ number }) => number).sort(), breaks]).toEqual([[again.number, other.number].sort(), []]);
});
