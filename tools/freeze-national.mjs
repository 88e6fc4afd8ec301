// Makes what documents of national authorities alone lead to, against the simulator, in accounts of their own.
import { countries } from './demo/countries.mjs';

const [ALBANIA, SPAIN] = ['al-cis', 'es-verifactu'];
/** Registered with a warning that is a defect of this software, so that an operator has the record amended. */
const WARNING = '2005';
/** From the certificate to its end. */
const CERTIFIED_MS = 5_000;
const DAY_MS = 86_400_000;

/**
 * `openAccount()`: an account and what calls the API with its test key, `call(method, path, body)`; `ops(path, body)`: `/admin` of the operators' port, with the
 * OPS_TOKEN; `simulator(path, body)`: an operator of the simulator; `until(what, probe)`, `sleep(ms)`. With AUTHORITY_PACE=fast: Spain's pace is a minute.
 */
export async function fillNational({ openAccount, ops, simulator, until, sleep }) {
  const shopIn = async (authority) => {
    const call = await openAccount();
    const { tax_id } = await call('PATCH', '/issuer', { authority });
    const { id: customer_id } = await call('POST', '/customers', countries[authority].customer);
    const items = [{ description: 'Consulting', unit_price: '50.25' }];
    return {
      call,
      tax_id,
      async invoice() {
        const { id } = await call('POST', '/invoices', { customer_id, items });
        return call('POST', `/invoices/${id}/submit`);
      },
      receipt: () => call('POST', '/receipts', { items, payment_method: 'cash' }),
      registered: (path) => until(`${path} is registered`, async () => (await call('GET', path)).fiscal?.status === 'registered'),
    };
  };
  await amendAndAnnul(await shopIn(SPAIN), { ops, simulator, until });
  await hold(await shopIn(ALBANIA), { simulator, until, sleep });
}

/** Records of a chain: an amendment of an invoice that is refused once, one of a receipt, an annulment. */
async function amendAndAnnul({ call, tax_id, invoice, receipt, registered }, { ops, simulator, until }) {
  await simulator('/faults', { authority: SPAIN, tax_id, fault: `accepted_with_errors:${WARNING}`, times: 2 });
  const [wrong, sold] = [await invoice(), await receipt()];
  for (const path of [`/invoices/${wrong.id}`, `/receipts/${sold.id}`]) await registered(path);
  const annulled = await invoice();
  await registered(`/invoices/${annulled.id}`);
  await call('POST', `/invoices/${annulled.id}/void`, { reason: 'Wrong customer' });
  await until('the annulment', async () => (await call('GET', `/invoices/${annulled.id}`)).status === 'voided');
  await simulator('/faults', { authority: SPAIN, tax_id, number: wrong.number, fault: 'reject:1100', times: 1 });
  const amend = () => ops('/submissions/amend', { authority: SPAIN, code: WARNING, livemode: false, confirm: true });
  const { documents } = await amend();
  if (documents.length !== 2) throw new Error(`two documents are registered with ${WARNING}, and ${documents.length} are found`);
  await until('both amendments', async () => (await amend()).documents.length === 0);
}

/** A record that is not signed, since the issuer's certificate has ended. */
async function hold({ call, tax_id, invoice }, { simulator, until, sleep }) {
  const { certificate, passphrase } = await simulator('/certificates', { authority: ALBANIA, tax_id, days: CERTIFIED_MS / DAY_MS });
  await call('PUT', '/fiscal-credentials', { certificate, passphrase });
  await sleep(CERTIFIED_MS);
  const { id } = await invoice();
  await until('a record that is held', async () => (await call('GET', `/invoices/${id}`)).fiscal?.error?.code === 'credentials_expired');
}
