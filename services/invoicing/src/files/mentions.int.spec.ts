import { pagesOf } from '@svc/document-files/pdf/testing/text';
import { outcomeEvent, registration } from '../document/testing/outcomes.ts';
import { invoiceProcess } from '../invoice/process.ts';
import { updateIssuer } from '../issuer/update.ts';
import { callerOf } from '../testing/open-system.ts';
import { serve } from '../testing/serve.ts';

const served = serve();
const { call, open, system } = served;
beforeAll(() => served.start());
afterAll(() => served.stop());

test('a PDF tells by the issuer that is frozen in it what its country asks for, whatever became of the issuer', async () => {
  const identity = callerOf(system);
  const { context, issuers } = system;
  const set = (patch: object) => updateIssuer({ context, identity, issuers }, { ifMatch: undefined, patch });
  const units = [
    { code: 'bb123bb123', devices: ['tt123tt123'] },
    { code: 'cc123cc123', devices: [] },
  ];
  const operators = [
    { code: 'oo123oo123', name: 'Ana' },
    { code: 'pp123pp123', name: 'Eva' },
  ];
  await set({ country: 'ME', language: 'sr-Latn-ME', time_zone: 'Europe/Podgorica', software_code: 'sw123sw123', units, operators });
  const items = [{ description: 'Tea', unit_price: 1234.5, taxes: [{ rate: 21 }] }];
  const id = String((await call('POST /invoices', { body: { customer_id: await served.customer(), items } })).body['id']);
  await call('POST /invoices/{id}/submit', { id });
  const receipt = String((await call('POST /receipts', { body: { items, payment_method: 'cash' } })).body['id']);
  const of = { id: system.ids.next(), account: identity.account, subject: id };
  await invoiceProcess.applyOutcome(context, outcomeEvent(of, 'document-registered', { ...registration, issuer_code: 'IKOF-1' }));
  await set({ country: 'FR', language: 'en', software_code: null, units: [], operators: [] });

  const textAt = async (url: unknown) => (await pagesOf((await open(url)).rawPayload)).join(' ');
  const places = ['Kod operatera: oo123oo123', 'Kod poslovnog prostora: bb123bb123', 'Kod ENU: tt123tt123', 'Kod softvera: sw123sw123'];
  const invoice = await textAt((await call('GET /invoices/{id}/pdf', { id })).body['url']);
  for (const part of ['Faktura', '1.234,50', 'Datum i vrijeme izdavanja: ', 'IKOF: IKOF-1', 'JIKR: CODE-1', ...places])
    expect(invoice).toContain(part);
  const paper = await textAt((await call('GET /receipts/{id}/pdf', { id: receipt })).body['url']);
  for (const part of ['Račun', '1.234,50', ...places]) expect(paper).toContain(part);
});
