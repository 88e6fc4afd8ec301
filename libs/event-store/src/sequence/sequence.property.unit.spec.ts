import { Conflict, createIds, OutcomeUnknown, DomainError, type Ids } from '@svc/kernel';
import { seeded } from '@svc/kernel/testing/seeded';
import { documentStream, numberDocument, type Numbered } from '../testing/numbered-document.ts';
import { NetworkModel } from '../testing/network-model.ts';
import { createSequence } from './sequence.ts';

const SEEDS = Array.from({ length: 300 }, (_, n) => n + 1);
const DOCUMENTS = Array.from({ length: 8 }, (_, n) => `inv_${n}`);
const PROCESSES = 3;
const CRASHES = 6;
const account = 'acct_1';
const series = `series-test.${account}.INV.2026`;

/** Numbers one document from its current state, in a process with its own memory. */
type Number1 = (document: string) => Promise<unknown>;
type MakeProcess = (model: NetworkModel, process: number, ids: Ids) => Number1;

/** Steps 1 to 3 of the implementation. */
const built: MakeProcess = (model, process, ids) => {
  const streams = model.connect(process);
  const sequence = createSequence({ streams, ids, clock: model.clock(process) });
  return (document) => numberDocument({ streams, sequence, ids, account, series }, document);
};

/**
 * A wrong variant that trusts the store to recognize an event by its id: it appends the number under the document's id, and when in doubt again at a new head.
 */
const naive: MakeProcess = (model, process) => {
  const streams = model.connect(process);
  return async (document) => {
    for (;;) {
      const last = (await streams.read(series)).at(-1);
      const link = { document, seq: ((last?.data as Numbered | undefined)?.seq ?? 0) + 1 };
      const event = { id: document, type: 'NumberTaken', data: link, metadata: { v: 1, account, env: 'test' as const } };
      try {
        return await streams.append(series, last?.revision ?? 'none', [event]);
      } catch (error) {
        if (!(error instanceof Conflict || error instanceof OutcomeUnknown)) throw error;
      }
    }
  };
};

/**
 * Three processes drive the same documents over a network with faults; some crash at any point and start anew. At last one repeats
 * everything without faults, as jobs do, and what was still in flight arrives.
 */
async function simulate(seed: number, make: MakeProcess): Promise<NetworkModel> {
  const random = seeded(seed);
  const model = new NetworkModel(random);
  const bytes = seeded(seed + 1_000_000);
  const ids = createIds({ now: () => 1_768_478_400_000 }, (size) => Uint8Array.from({ length: size }, () => bytes() * 256));
  let processes = 0;

  function start(): number {
    const process = (processes += 1);
    const number1 = make(model, process, ids);
    // Documents arrive one after the other, some of them at two actors of the process concurrently.
    for (const document of [...DOCUMENTS, ...DOCUMENTS.filter(() => random() < 0.5)]) {
      const wait = model.isFaulty ? Math.floor(random() * 4) * Math.floor(random() * 10_000) : 0;
      void model
        .clock(process)
        .sleep(wait)
        .then(() => drive(number1, document));
    }
    return process;
  }

  const living = Array.from({ length: PROCESSES }, start);
  let crashes = CRASHES;
  while (crashes > 0) {
    await model.run(() => random() < 0.01);
    crashes -= 1;
    const [victim] = living.splice(Math.floor(random() * living.length), 1);
    model.kill(victim as number);
    living.push(start());
  }
  await model.run();
  model.isFaulty = false;
  start();
  await model.run();
  return model;
}

/** Repeats, as its callers and jobs do. */
async function drive(number1: Number1, document: string): Promise<void> {
  for (let tries = 0; tries < 100; tries += 1) {
    try {
      await number1(document);
      return;
    } catch (error) {
      if (!(error instanceof OutcomeUnknown || error instanceof Conflict || error instanceof DomainError)) throw error;
    }
  }
}

const taken = (model: NetworkModel): Numbered[] => model.stored(series).map(({ data }) => data as Numbered);
const hasDoubles = (links: Numbered[]): boolean => new Set(links.map(({ document }) => document)).size < links.length;

describe('numbers across lost requests, lost replies, late appends, stale reads and crashes', () => {
  test('each document has one number, without gaps, and the document agrees with the series (300 seeds)', async () => {
    for (const seed of SEEDS) {
      const model = await simulate(seed, built);
      const links = taken(model);
      try {
        expect(links.map(({ seq }) => seq)).toEqual(DOCUMENTS.map((_, n) => n + 1));
        expect(links.map(({ document }) => document).sort()).toEqual(DOCUMENTS);
        for (const link of links) {
          const events = model.stored(documentStream(account, link.document));
          expect(events.map(({ type }) => type)).toEqual(['NumberRequested', 'Numbered']);
          expect(events[1]?.data).toEqual(link);
        }
      } catch (error) {
        throw new Error(`seed ${seed}`, { cause: error });
      }
    }
  });

  test('the model finds duplicate numbers of the wrong variant, which appends by id and, when in doubt, again at a new head (300 seeds)', async () => {
    let found = 0;
    for (const seed of SEEDS) if (hasDoubles(taken(await simulate(seed, naive)))) found += 1;
    expect(found).toBeGreaterThanOrEqual(290);
  });
});
