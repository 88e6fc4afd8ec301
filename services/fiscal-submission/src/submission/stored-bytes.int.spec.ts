import { randomBytes } from 'node:crypto';
import type { RegistrationRequested } from '@svc/contracts/registration/requested';
import { jsonBytes, systemClock } from '@svc/kernel';
import { storedBytesIn } from '@svc/service';
import { SimulatorProcess } from '../testing/simulator-process.ts';
import { FiscalSystem } from '../testing/system.ts';
import { submissionStream } from './submissions.ts';

let simulator: SimulatorProcess;
let system: FiscalSystem;
beforeAll(async () => {
  simulator = await SimulatorProcess.start();
});
afterAll(() => simulator.stop());
beforeEach(() => {
  system = new FiscalSystem({ simulatorUrl: simulator.url });
});
afterEach(() => system.close());

/** What the account has stored, once the count is written. */
async function counted(atLeast: number): Promise<number> {
  const of = storedBytesIn(system.documents, systemClock);
  for (let n = 0; ; n += 1) {
    const bytes = (await of([system.account]))[system.account] ?? 0;
    if (bytes >= atLeast || n === 100) return bytes;
    await systemClock.sleep(50);
  }
}

/** Bytes of a submission's events, and of what was sent and received. */
async function stored(documentId: string): Promise<number> {
  const { streams, wireLog } = system.fiscal.context;
  const events = await streams.read(submissionStream('test', system.account, documentId));
  const entries = (await Array.fromAsync(wireLog.find({}))).filter(({ document_id }) => document_id === documentId);
  return [...events.map(({ data }) => data), ...entries].reduce((sum, one) => sum + jsonBytes(one), 0);
}

/** A document of 200 items whose descriptions no compression shortens much. */
function long(simulate: string): RegistrationRequested {
  const { document, ...rest } = system.requested().data;
  const [item] = document.items;
  if (!item) throw new Error('it has no item');
  const items = Array.from({ length: 200 }, () => ({ ...item, description: randomBytes(240).toString('base64') }));
  return { ...rest, simulate, document: { ...document, items } as typeof document };
}

test('a document that is rejected and submitted again counts as often as its record is stored and sent', async () => {
  const request = long('reject');
  let before = 0;
  for (let round = 1; round <= 3; round += 1) {
    await system.submit({ ...request, round });
    await system.until(request.document_id, 'rejected');
    const all = await stored(request.document_id);
    const bytes = await counted(0.9 * all);
    expect(bytes).toBeGreaterThan(0.9 * all);
    expect(bytes).toBeLessThan(1.1 * all);
    expect(bytes - before).toBeGreaterThan(100_000);
    before = bytes;
  }
});

test('attempts that an authority causes do not count', async () => {
  const [once, often] = [long('accept'), long('unavailable:10')];
  await system.submit(once);
  await system.until(once.document_id, 'registered');
  const first = await counted(0.9 * (await stored(once.document_id)));
  await system.submit(often);
  await system.until(often.document_id, 'registered');
  const attempts = await system.attempts(often.document_id);
  expect(attempts.length).toBeGreaterThan(5);
  const second = (await counted(1.9 * first)) - first;
  expect(second / first).toBeLessThan(1.2);
  expect(await stored(often.document_id)).toBeGreaterThan(2 * second);
});
