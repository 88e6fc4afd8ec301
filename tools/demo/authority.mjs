// A sandbox issuer of one national authority issues the twelve shapes, against the authority's simulator.
import { countries } from './countries.mjs';
import { promised, say, sleep, startProduct, until } from './product.mjs';
import { shapesOf } from './shapes.mjs';
import { saveWire } from './wire.mjs';

/** More than an account may submit a minute by default. */
const limits = { submit: 100 };
const WAITING = { prefer: 'wait=30' };
/** VERI*FACTU's pace between sendings is a minute; the simulator asks for a second. */
const SHORT_WAIT = { authority: 'es-verifactu', fault: 'wait:1', times: 10_000 };
/** A Fault after which nothing is stored: the service is not able to process. */
const OUTAGE = { authority: 'es-verifactu', fault: 'fault_client:4103', times: 10_000 };
/** What is older when it is sent goes as late. */
const FRESH_MS = 180_000;

/** Runs it; `wire`: folder for the exchanges with the authority, absent: they are not saved. Throws where a step is not as promised. */
export async function authorityDemo(authority, { wire, callOf }) {
  const product = await startProduct({ limits });
  try {
    await walk(product, callOf(product), authority);
    if (wire !== undefined) say(`${await saveWire(product, authority, wire)} exchanges with the authority are saved in ${wire}.`);
  } finally {
    await product.stop();
  }
}

async function walk(product, call, authority) {
  const country = countries[authority];
  if (authority === 'es-verifactu') await product.simulator('POST', '/faults', SHORT_WAIT);
  const issuer = await call('PATCH', '/issuer', { authority });
  promised('the issuer is ready', issuer.setup.ready, issuer.setup);
  say(`0. The sandbox issuer ${issuer.tax_id} sends to ${authority}, as the simulator plays it.`);
  const { id } = await call('POST', '/customers', country.customer);
  const shop = shopOf(product, call, { authority, customer_id: id });
  const numbers = [];
  for (const [n, [name, issue]] of Object.entries(shapesOf(country, shop)).entries()) {
    const rule = country.refused[name];
    const document = await issue().catch((error) => refusedBy(rule, error));
    if (document.number) numbers.push(document.number);
    say(`${n + 1}. ${name}: ${document.number ? registeredWords(document) : document}`);
  }
  await settled(product, authority, numbers);
}

/** The words of a refusal by the rule that was expected; throws any other error. */
function refusedBy(rule, error) {
  if (rule === undefined || error.refused?.rule !== rule) throw error;
  const { field, message, number } = error.refused;
  promised('no number was spent', number === null, error.refused);
  return `refused before a number is spent: ${field} ${message}`;
}

function registeredWords({ number, total, currency, fiscal, void: voiding, status }) {
  const code = `${number}, ${currency} ${total.toFixed(2)}, code ${fiscal.code}${fiscal.late ? ', late' : ''}`;
  if (status !== 'voided') return `${code}\n   ${fiscal.verification_url}`;
  return `${code}, voided${voiding.document_id ? ` by the corrective ${voiding.document_id}` : ''}`;
}

function shopOf(product, call, { authority, customer_id }) {
  const registered = (path) =>
    until(
      `${path} is registered`,
      async () => {
        const { answer } = await product.request('GET', path);
        promised('it is not rejected', answer.fiscal?.status !== 'rejected', answer.fiscal);
        return answer.fiscal?.status === 'registered' && answer;
      },
      600,
    );

  async function submitted(body, terms) {
    const draft = await call('POST', '/invoices', { customer_id, ...body });
    const { ok, answer } = await product.request('POST', `/invoices/${draft.id}/submit`, terms, WAITING);
    if (!ok) throw await refusal(draft.id, answer);
    return answer;
  }

  async function refusal(id, { error }) {
    const { answer } = await product.request('GET', `/invoices/${id}`);
    const [{ field, params } = {}] = error.issues ?? [];
    const refused = { field, rule: params?.id, message: error.details?.[field]?.join(' '), number: answer.number };
    return Object.assign(new Error(`refused: ${JSON.stringify(error)}`), { refused });
  }

  return {
    invoice: async (body) => registered(`/invoices/${(await submitted(body)).id}`),
    receipt: async (body) => registered(`/receipts/${(await call('POST', '/receipts', body, WAITING)).id}`),
    async voided({ id }) {
      await call('POST', `/invoices/${id}/void`, { reason: 'Wrong customer' }, WAITING);
      return until('it is voided', async () => {
        const { answer } = await product.request('GET', `/invoices/${id}`);
        return answer.status === 'voided' && answer;
      });
    },
    /** Spain has no stated reason: the service is away for as long as a record counts as fresh. */
    async late(body) {
      if (authority !== 'es-verifactu') return registered(`/invoices/${(await submitted(body, { late_reason: 'no_internet' })).id}`);
      say(`   The authority is away for ${FRESH_MS / 60_000} minutes; number, hash and QR code are there at once.`);
      await product.simulator('DELETE', '/faults');
      await product.simulator('POST', '/faults', OUTAGE);
      const { id } = await submitted(body);
      await sleep(FRESH_MS + 5_000);
      await product.simulator('DELETE', '/faults');
      await product.simulator('POST', '/faults', SHORT_WAIT);
      return registered(`/invoices/${id}`);
    },
  };
}

/** Each document is in the ledger once, no number is missing, and a chain has no break. */
async function settled(product, authority, numbers) {
  const { data, meta } = await product.simulator('GET', `/ledger?authority=${authority}&limit=10000`);
  const rows = data.map(({ number }) => number);
  promised(
    'each document is registered once',
    numbers.every((number) => rows.filter((one) => one === number).length === 1),
    rows,
  );
  promised('no number is missing', (meta.gaps ?? []).length === 0, meta.gaps);
  const { data: chains } = await product.simulator('GET', `/chains?authority=${authority}&limit=100`);
  const breaks = chains.flatMap((chain) => chain.breaks);
  promised('the chain is whole', breaks.length === 0, breaks);
  say(`The authority has ${rows.length} documents, each once, and no number is missing.`);
}
