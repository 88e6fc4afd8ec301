import { linkAfter, restartAfter, type ChainLink } from './link.ts';

const make = (previous: ChainLink['previous']) => ({ hash: `after ${previous?.hash ?? 'nothing'}`, cited: {} });
const record = (document: string) => ({ document, round: 1, operation: 'register' as const });
const restart = { document: 'restart 1', round: 1, operation: 'restart' as const };

test('behind a restart the next record is a first one, of the new installation, and those after it follow it', () => {
  const first = linkAfter(undefined, record('a'), '2026-03-01T10:00:00.000Z', make);
  const anew = restartAfter(first, restart, '2026-03-02T10:00:00.000Z', 'NEW');
  const second = linkAfter(anew, record('b'), '2026-03-02T09:00:00.000Z', make);
  const third = linkAfter(second, record('c'), '2026-03-03T10:00:00.000Z', make);
  expect([first, second, third].map(({ hash }) => hash)).toEqual(['after nothing', 'after nothing', 'after after nothing']);
  expect([first, anew, second, third].map(({ position, installation }) => [position, installation])).toEqual([
    [1, undefined],
    [2, 'NEW'],
    [3, 'NEW'],
    [4, 'NEW'],
  ]);
  expect([second.previous, second.at, third.previous?.document]).toEqual([null, anew.at, 'b']);
});

test('a chain that begins anew twice has the last installation', () => {
  const once = restartAfter(undefined, restart, '2026-03-01T10:00:00.000Z', 'ONE');
  const twice = restartAfter(once, { ...restart, document: 'restart 2' }, '2026-03-01T10:00:00.000Z', 'TWO');
  expect(linkAfter(twice, record('a'), '2026-03-01T10:00:00.000Z', make)).toMatchObject({
    position: 3,
    installation: 'TWO',
    previous: null,
  });
});
