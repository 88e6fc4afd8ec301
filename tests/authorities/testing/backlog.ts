import { client, eventually } from '@svc/testkit';
import * as shops from './shop.ts';

const BACKLOG = Number(process.env['BACKLOG'] ?? 10_000);
const BATCH = 100;
/** By which a registration may take longer than without the other account. */
const MOST_MS = 5_000;
/** Documents of the victim, one a second, at each measurement. */
const [ALONE, MEANWHILE] = [5, 30];
/** Calls that one script refuses at most, and scripts that outlast the test. */
const [CALLS, SCRIPTS] = [10_000, 20];

/** What the test of a backlog shows, and for how long it may run. */
export const backlog = {
  title: `a backlog of ${BACKLOG} documents of one account, to which the authority does not answer or answers again, delays no registration of another by more than ${MOST_MS / 1000} s`,
  longestMs: 30 * 60_000,
};

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** From the submission of a document to its code, in milliseconds. */
async function registration({ call, customer_id }: shops.Shop): Promise<number> {
  const items = [shops.line()];
  const { body: draft } = await call<shops.Document>('POST', '/invoices', { body: { customer_id, items } });
  const began = performance.now();
  await call('POST', `/invoices/${draft.id}/submit`);
  const code = async () => (await call<shops.Document>('GET', `/invoices/${draft.id}`)).body.fiscal_code;
  await eventually(code, 'a code', 60_000);
  return performance.now() - began;
}

/** The longest of documents that are submitted one a second. */
async function longestOf(shop: shops.Shop, count: number): Promise<number> {
  const all = Array.from({ length: count }, (_, n) => sleep(n * 1_000).then(() => registration(shop)));
  return Math.round(Math.max(...(await Promise.all(all))));
}

/** Submits invoices of a shop in batches, one after the other. */
async function submitAll({ call, customer_id }: shops.Shop): Promise<void> {
  const requests = Array.from({ length: BATCH }, () => ({ customer_id, items: [shops.line()] }));
  for (let n = 0; n < BACKLOG; n += BATCH) {
    const { body } = await call<{ data: { resource: { id: string } }[] }>('POST', '/invoices/batch', { body: { requests } });
    const ids = body.data.map(({ resource }) => resource.id);
    const { body: submitted } = await call<{ succeeded: number }>('POST', '/invoices/batch/submit', { body: { ids } });
    expect(submitted.succeeded).toBe(BATCH);
  }
}

/** Two shops of Albania: one has a backlog, the other registers a document a second. */
export async function expectNoDelay(
  system: Parameters<typeof shops.atAuthority>[0],
  { attacker, victim }: { attacker: shops.Shop; victim: shops.Shop },
): Promise<void> {
  const operate = client(system.simulator);
  const fault = { authority: 'al-cis', tax_id: attacker.tax_id, fault: `unavailable:${CALLS}` };
  for (let n = 0; n < SCRIPTS; n += 1) await operate('POST', '/faults', { body: fault });
  const registered = async (): Promise<number> => (await shops.atAuthority(system, attacker)).rows.length;

  const figures: Record<string, number> = { 'alone, ms': await longestOf(victim, ALONE) };
  const began = performance.now();
  const opened = submitAll(attacker);
  figures['while it comes, ms'] = await longestOf(victim, MEANWHILE);
  await opened;
  figures['it came within, s'] = Math.round((performance.now() - began) / 1_000);
  figures['while it gets no answer, ms'] = await longestOf(victim, MEANWHILE);
  expect(await registered()).toBe(0);
  await operate('DELETE', '/faults');
  figures['once it is answered, ms'] = await longestOf(victim, 2 * MEANWHILE);
  figures['registered of it then'] = await registered();
  console.log(JSON.stringify(figures));
  const { 'alone, ms': alone = 0 } = figures;
  for (const name of ['while it comes, ms', 'while it gets no answer, ms', 'once it is answered, ms'])
    expect((figures[name] ?? Infinity) - alone).toBeLessThan(MOST_MS);
}
