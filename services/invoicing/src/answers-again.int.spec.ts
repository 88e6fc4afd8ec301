import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isOfRelease, type GoldenStream } from '@svc/contracts/testing/golden';
import { idOf, uidOf, type Uid } from '@svc/kernel';
import { dataFolder, openSystem } from './testing/open-system.ts';
import { answersAgain } from './answers-again.ts';

/**
 * Of the answers below, by the release that has stored what they are made of. Repeats within two days of an upgrade get the bytes that this release makes of what
 * the one before has stored: where these change, answer the earlier form for its rows until the release after.
 */
const SHA256 = {
  '0.1.0': {
    customer: '97cb0df6cb52f3cbd599cb9d44a84aa245ec0dca383816c034d82b01b4e323a8',
    invoice: '45dc21c8fe3235c6da3225c50e72fd1ef72298d0ca7125129123abeb24aeeb7f',
  },
  '0.2.0': {
    customer: 'e6182212018f7f3717de24ffdd3b69ce85440dfb10414b66806d4c3aac98f726',
    invoice: 'a0502ca955d2ae56e9a513b96038ff901343c0eb3bd6371c8b3aaf0a5175ea3b',
  },
};
type Release = keyof typeof SHA256;

describe.each(Object.keys(SHA256) as Release[])('with what %s has stored', (release) => {
  const streamsOf = (category: string): GoldenStream[] => {
    const file = join(import.meta.dirname, '../../../releases/invoicing', release, 'golden/stored', `${category}.json`);
    return (JSON.parse(readFileSync(file, 'utf8')) as GoldenStream[]).filter(isOfRelease);
  };
  const folder = dataFolder();
  const system = openSystem(folder.path);
  const again = answersAgain(system);
  beforeAll(async () => {
    for (const { stream, events } of ['customer', 'invoice'].flatMap(streamsOf)) await system.store.append(stream, 'none', events);
  });
  afterAll(() => {
    system.engine.close();
    folder.remove();
  });

  test.each([
    ['customer', 'cust'],
    ['invoice', 'inv'],
  ] as const)('the answer to each %s is made again in the same bytes as before', async (category, prefix) => {
    const digest = createHash('sha256');
    let made = 0;
    for (const { stream } of streamsOf(category)) {
      const [, account = ''] = stream.split('.');
      const of = { account, env: 'test', command: uidOf(prefix, idOf(stream)) as Uid } as const;
      const answer = await again({ route: `POST /${category}s`, ...of, answeredFrom: '1' });
      if (answer) made += 1;
      digest.update(`${answer?.text}\n`);
    }
    expect(made).toBeGreaterThan(1);
    expect(digest.digest('hex')).toBe(SHA256[release][category]);
  });

  test.each(['POST /invoices', 'POST /customers', 'POST /products'])('of a command that has stored nothing %s has none', async (route) => {
    expect(await again({ route, account: 'acct_1', env: 'test', command: '0'.repeat(26), answeredFrom: '1' })).toBeUndefined();
  });
});
