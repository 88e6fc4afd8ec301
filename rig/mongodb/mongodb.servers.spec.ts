import { setTimeout as sleep } from 'node:timers/promises';
import { MongoClient } from 'mongodb';
import { LONG, stopServersAfterEach, temporaryServers } from '../servers/testing/temporary-servers.ts';

stopServersAfterEach();

interface Counter {
  _id: string;
  n: number;
  version: number;
}

test(
  'applies one of many concurrent changes, counts every increment, and gives a unique key to one document',
  async () => {
    const { mongo } = await temporaryServers({ only: ['mongo'] });
    const client = await MongoClient.connect(mongo.url);
    const counters = client.db('spec').collection<Counter>('counters');
    await counters.createIndex({ n: 1 }, { unique: true });
    await counters.insertOne({ _id: 'a', n: 0, version: 1 });
    const claims = Array.from({ length: 64 }, () => counters.updateOne({ _id: 'a', version: 1 }, { $set: { version: 2 } }));
    expect((await Promise.all(claims)).filter(({ modifiedCount }) => modifiedCount === 1)).toHaveLength(1);

    const increment = () => counters.findOneAndUpdate({ _id: 'a' }, { $inc: { n: 1 } }, { returnDocument: 'after' });
    const counted = await Promise.all(Array.from({ length: 200 }, increment));
    expect(new Set(counted.map((counter) => counter?.n)).size).toBe(200);

    const inserts = Array.from({ length: 64 }, (_, i) => counters.insertOne({ _id: `b${i}`, n: 1000, version: 1 }));
    const outcomes = await Promise.allSettled(inserts);
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    const refused = outcomes.find((outcome) => outcome.status === 'rejected');
    expect(refused?.reason).toMatchObject({ code: 11000, keyPattern: { n: 1 }, keyValue: { n: 1000 } });
    await client.close();
  },
  LONG,
);

test(
  'finds by an index what is null and what is missing, and nothing else',
  async () => {
    const { mongo } = await temporaryServers({ only: ['mongo'] });
    const client = await MongoClient.connect(mongo.url);
    const rows = client.db('spec').collection<{ _id: string; of: string; at?: number | null }>('rows');
    await rows.createIndex({ of: 1, at: 1 });
    await rows.insertMany([
      { _id: 'null', of: 'a', at: null },
      { _id: 'missing', of: 'a' },
      { _id: 'set', of: 'a', at: 1 },
      { _id: 'other', of: 'b', at: null },
    ]);
    const found = await rows.find({ of: { $eq: 'a' }, at: { $eq: null } }).toArray();
    expect(found.map(({ _id }) => _id).sort()).toEqual(['missing', 'null']);
    await client.close();
  },
  LONG,
);

test(
  'loses no acknowledged write when it is killed during writes',
  async () => {
    const { mongo } = await temporaryServers({ only: ['mongo'] });
    const acknowledged: number[] = [];
    let next = 0;

    /** Inserts until the server is killed. */
    async function insertUntilKilled(): Promise<void> {
      const client = await MongoClient.connect(mongo.url, { serverSelectionTimeoutMS: 5_000 });
      const rows = client.db('spec').collection<{ _id: number }>('rows');
      let killed = false;
      const writers = Array.from({ length: 16 }, async () => {
        while (!killed) {
          const _id = next++;
          await rows.insertOne({ _id }).then(
            () => acknowledged.push(_id),
            () => {}, // Not acknowledged: it may be stored or not.
          );
        }
      });
      for (const enough = acknowledged.length + 200; acknowledged.length < enough;) await sleep(5);
      await mongo.kill9();
      killed = true;
      await Promise.all(writers);
      await client.close();
    }

    for (let kills = 0; kills < 3; kills += 1) {
      await insertUntilKilled();
      await mongo.start();
    }
    const client = await MongoClient.connect(mongo.url);
    const stored = new Set((await client.db('spec').collection('rows').find().toArray()).map(({ _id }) => Number(_id)));
    await client.close();
    expect(acknowledged.filter((_id) => !stored.has(_id))).toEqual([]);
  },
  LONG,
);
