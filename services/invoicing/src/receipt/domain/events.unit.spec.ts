import { account, customer, parties, recordedOn } from '../../invoice/domain/testing/samples.ts';
import { decide } from './decide.ts';
import { evolve } from './evolve.ts';
import { at, commands, create, id, preconditions } from './testing/samples.ts';
import { type ReceiptEvent, receiptEvents } from './events.ts';
import type { ReceiptState } from './state.ts';

test('a receipt requested by the first release has its customer in clear and is issued to them', () => {
  const [asked] = decide(create, null) as [Extract<ReceiptEvent, { type: 'ReceiptRequested' }>];
  const { personal: _, ...today } = asked.data;
  const old = { type: asked.type, data: { ...today, parties: { ...parties, customer } } };
  const state = evolve(null, receiptEvents.decode(recordedOn(`receipt-test.${account}.${id}`, {})(old, 0)));
  expect(state).toMatchObject({
    status: 'being_numbered',
    created_at: at,
    numbering: preconditions.numbering,
    parties: { customer },
    earlier_release: true,
  });
  expect(evolve(null, asked)).not.toHaveProperty('earlier_release');
  const ofToday = receiptEvents.decode(recordedOn(`receipt-test.${account}.${id}`, { ReceiptRequested: 2 })(old, 0));
  expect(evolve(null, ofToday)).not.toHaveProperty('earlier_release');
  const issued = decide({ ...commands.number, parties: { ...parties, customer } }, state).reduce<ReceiptState | null>(evolve, state);
  expect(issued).toMatchObject({ status: 'issued', parties: { customer } });
  expect(issued).not.toHaveProperty('earlier_release');
});
