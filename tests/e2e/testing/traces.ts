import type { System } from '@svc/testkit';
import { provokeErrors } from './errors.ts';
import { certificate, tour, type Toured } from './tour.ts';

/** A customer without invoices, and one whose issued receipt contains a copy of the personal data. */
export const people = ['quiet', 'invoiced'].map((word) => ({
  name: `Zz${word} Kestrelwood`,
  email: `zz${word}@kestrelwood.example`,
  phone: `+355 69 ${word.length}${word.length}71 930`,
  address: { line1: `Zz${word} street 7`, city: 'Tirana', country: 'AL' },
}));
export type Person = (typeof people)[number];
export const personal = ({ name, email, phone, address }: Person): string[] => [name, email, phone, address.line1];

export interface Traces {
  toured: Toured;
  /** Ids in the order of `people`. */
  customers: string[];
  /** Every key value and webhook secret shown and a certificate sent, in each form in which it could be stored. */
  secrets: string[];
}

/** Makes the requests that could leave a secret or personal data behind. The system must run with REQUIRE_HTTPS=true. */
export async function leaveTraces(system: System, origin: string): Promise<Traces> {
  const toured = await tour(system, origin, () => undefined);
  await provokeErrors(system, () => undefined);
  const call = toured.account.test;
  const customers: string[] = [];
  for (const [n, person] of people.entries()) {
    const made = await call<{ id: string }>('POST', '/customers', { body: person, headers: { 'idempotency-key': `person-${n}` } });
    customers.push(made.body.id);
    await call('PATCH', `/customers/${made.body.id}`, { body: { language: 'sq' } });
    await call('POST', '/customers', { body: { ...person, email: 'no email' } });
    await call('GET', '/customers', { query: { email: person.email } });
  }
  await call('POST', '/receipts', {
    body: { customer_id: customers[1], payment_method: 'cash', items: [{ description: 'Tea', unit_price: 2 }] },
    headers: { prefer: 'wait=10' },
  });
  await new Promise((resolve) => setTimeout(resolve, 1500)); // Events are handled by now.
  return {
    toured,
    customers,
    secrets: [...toured.secrets, system.setup.test_key, system.setup.live_key].flatMap(forms).concat(certificate().slice(200, 260)),
  };
}

/** A webhook secret as text, and its key in base64. */
const forms = (secret: string): string[] => (secret.startsWith('whsec_') ? [secret, secret.slice(6)] : [secret]);

export const found = (text: string | Buffer, needles: string[]): string[] => needles.filter((needle) => text.includes(needle));
