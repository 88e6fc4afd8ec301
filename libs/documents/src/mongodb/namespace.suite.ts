import { randomBytes } from 'node:crypto';
import { MongoClient } from 'mongodb';

/** Names on the server of the tests that nobody else has. */
export interface Namespaces {
  url: string;
  next(): string;
  /** Drops the databases of all of them. */
  drop(): Promise<void>;
}

export function takeNamespaces(): Namespaces {
  const url = process.env.MONGODB_URL;
  if (url === undefined) throw new Error('MONGODB_URL is not set: these tests need a server');
  const own = `t${randomBytes(5).toString('hex')}`;
  let taken = 0;
  return {
    url,
    next: () => `${own}x${(taken += 1)}`,
    async drop() {
      const client = new MongoClient(url, { timeoutMS: 10_000 });
      const { databases } = await client.db('admin').admin().listDatabases({ nameOnly: true });
      for (const { name } of databases) if (name.startsWith(own)) await client.db(name).dropDatabase();
      await client.close();
    },
  };
}
