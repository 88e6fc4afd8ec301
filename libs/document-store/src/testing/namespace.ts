import { randomBytes } from 'node:crypto';
import { MongoClient } from 'mongodb';

/** Unique names on the server of the tests. */
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
      const client = new MongoClient(url, { timeoutMS: 60_000 });
      const { databases } = await client.db('admin').admin().listDatabases({ nameOnly: true });
      const names = databases.map(({ name }) => name).filter((name) => name.startsWith(own));
      const dropOne = (name: string): Promise<boolean> => client.db(name).dropDatabase();
      for (let n = 0; n < names.length; n += 10)
        await Promise.all(names.slice(n, n + 10).map((name) => dropOne(name).catch(() => dropOne(name))));
      await client.close();
    },
  };
}
