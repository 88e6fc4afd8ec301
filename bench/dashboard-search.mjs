// The search of the dashboard over HTTP: each kind of text that a person types, ten times, each time another one.
import { aim, median } from './load.mjs';

const ROUNDS = 10;
const GOAL_MS = 300;
/** A search counts as three of the 300 requests that a member has in a minute. */
const PACE_MS = 700;

/** Texts by what they are of a numbered invoice, or of the nth customer. */
const texts = {
  'a whole number': ({ number }) => number,
  'the beginning of a number': ({ number }) => number.slice(0, -3),
  'the last four digits of a number': ({ number }) => number.slice(-4),
  'the last three digits of a number': ({ number }) => number.slice(-3),
  'four digits in the middle of a number': ({ number }) => number.slice(-5, -1),
  'three digits in the middle of a number': ({ number }) => number.slice(-4, -1),
  'a number without its beginning': ({ number }) => number.slice(2),
  'a total': ({ total }) => total,
  'a fiscal code': ({ fiscal_code: code }) => code ?? 'none',
  'an id': ({ id }) => id,
  'a word of a name': (_, n) => `Name${n * 13}`,
  'the beginning of a word': (_, n) => `Town${n}`,
  'two words of a name': (_, n) => `customer name${n * 17}`,
  'a word that all names have': () => 'customer',
  'an e-mail': (_, n) => `person${n * 11}@bench.example`,
  'a tax id': (_, n) => `K${String(n * 7).padStart(8, '0')}`,
  'what nothing has': (_, n) => `nothing${n}`,
};

const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** Milliseconds of each kind of search: the median, and the slowest of ten. `server.sample`: ids of invoices. */
export async function searched({ context, origin, server }) {
  const cookie = (await context.cookies(`${origin}/console`)).map(({ name, value }) => `${name}=${value}`).join('; ');
  const get = async (path) => {
    const answer = await fetch(`${origin}/console${path}`, { headers: { cookie, 'x-livemode': 'false' } });
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
    return answer.json();
  };
  const invoices = await numbered(server.sample, (id) => get(`/v1/invoices/${id}`));
  const rows = [];
  for (const [what, textOf] of Object.entries(texts)) {
    const times = [];
    let found = 0;
    for (const [n, invoice] of invoices.entries()) {
      await sleep(PACE_MS);
      const q = textOf(invoice, n + 1);
      const began = performance.now();
      const { data } = await get(`/search?q=${encodeURIComponent(q)}`);
      times.push(performance.now() - began);
      found += data.length;
    }
    rows.push({ ...aim(`search for ${what}, ms`, median(times), GOAL_MS), most: Math.max(...times), found: found / times.length });
  }
  return rows;
}

/** Ten invoices that have a number. */
async function numbered(sample, read) {
  const found = [];
  for (let at = 0; found.length < ROUNDS && at < sample.length; at += Math.ceil(sample.length / (3 * ROUNDS))) {
    const invoice = await read(sample[at]);
    if (invoice.number) found.push(invoice);
  }
  return found;
}
