import { readFileSync } from 'node:fs';
import { runInNewContext } from 'node:vm';
import { databases } from './compose.ts';

/** deploy/backup.md says what a backup holds. What it omits is lost, so it is compared with the services' own tables. */
const page = readFileSync(new URL('../../../deploy/backup.md', import.meta.url), 'utf8');
const sources = databases.flatMap(({ database, source }) => source.map((name) => `${database}.${name}`));
/** The scripts that the page gives to mongosh, in their order. */
const scripts = [...page.matchAll(/mongosh --quiet --eval '([^']*)'/g)].map(([, script]) => script as string);

interface FakeCollection {
  drop(): void;
  insertOne(doc: object): void;
}
/** Runs a script on databases that have these collections; returns what it leaves, and what it inserts. */
function run(script: string, collections: string[]) {
  const left = new Set(collections);
  const inserted: Record<string, unknown> = {};
  const collection = (name: string): FakeCollection => ({
    drop: () => void left.delete(name),
    insertOne: (doc) => void (inserted[name] = { ...doc }),
  });
  const getSiblingDB = (database: string) => ({
    getCollectionNames: () => [...left].filter((name) => name.startsWith(`${database}.`)).map((name) => name.slice(database.length + 1)),
    getCollection: (name: string) => collection(`${database}.${name}`),
  });
  runInNewContext(script, { db: { getSiblingDB } });
  return { left: [...left], inserted };
}

test('the table has the collections of every service', () => {
  const named = (cell: string | undefined): string[] => [...(cell ?? '').matchAll(/`(\w+)`/g)].map(([, name]) => name as string);
  for (const { database, source, rebuilt } of databases) {
    const [, , inBackup, notRestored] =
      page
        .split('\n')
        .find((line) => line.startsWith(`| \`${database}\``))
        ?.split('|') ?? [];
    expect([database, named(inBackup)]).toEqual([database, source]);
    expect([database, named(notRestored)]).toEqual([database, rebuilt.filter((name) => !/_v\d+$/.test(name)).sort()]);
  }
});

test('mongorestore is given the source collections and no others', () => {
  const [command = ''] = /mongorestore [^`]*/.exec(page) ?? [];
  expect([...command.matchAll(/--nsInclude=(\S+)/g)].map(([, name]) => name)).toEqual(sources);
  expect(command).not.toContain('--nsExclude');
});

test('the script for databases that are not empty drops everything but the source collections', () => {
  const rebuilt = databases.flatMap(({ database, rebuilt }) =>
    [...rebuilt, 'x_dead_letters', 'old_v1'].map((name) => `${database}.${name}`),
  );
  expect(run(scripts[0] as string, [...rebuilt, ...sources, 'others.things']).left).toEqual([...sources, 'others.things']);
  // The log names this part of the page.
  expect(page).toContain('**Where MongoDB is not empty**');
});

test('the script for a backup of an earlier release notes in each database that it was used', () => {
  const installation = { _id: 'installation', version: 1, at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/) };
  const expected = sources.filter((name) => name.endsWith('.installation')).map((name) => [name, installation]);
  expect(run(scripts[1] as string, []).inserted).toEqual(Object.fromEntries(expected));
  expect(scripts).toHaveLength(2);
});
