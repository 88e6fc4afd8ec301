import { cutsOf } from './testing/cuts.ts';
import { PowerCuts } from './testing/power-cuts.ts';

const power = new PowerCuts();
afterAll(() => power.remove());
if (!power.canRecord) console.warn('Not tested: what is left after a power cut, since no C compiler (cc) is installed.');
/** Skipped without a C compiler: the library that records writes and syncs is compiled by the test, and a user's machine may have none. */
const recorded = power.canRecord ? test : test.skip;

recorded('after a power cut at any moment the folder opens, and has all that was acknowledged and all or nothing of each write', () => {
  const recording = power.record([
    { writes: 1_000, end: 'killed' },
    { writes: 100, end: 'closed', scrubs: true },
    { writes: 400, end: 'killed' },
    { writes: 20, end: 'closed' },
  ]);
  expect(recording.ends).toMatchObject([
    { signal: 'SIGKILL' },
    { status: 0, stderr: '' },
    { signal: 'SIGKILL' },
    { status: 0, stderr: '' },
  ]);
  const cuts = cutsOf(recording.steps, 6, 1);
  expect(cuts.length).toBeGreaterThan(40);
  expect(power.afterCuts(recording, cuts)).toEqual([]);
});

/** `power-cut.long.spec.ts` has more cuts, and more syncs that fail. */
recorded.each([
  ['of a commit', '-wal:9'],
  ['of the database, in a checkpoint', 'data.sqlite:3'],
])(
  'a sync that fails, %s, ends the process; what was acknowledged is there after a power cut then, and after the next start',
  (_, failing) => {
    const recording = power.record([
      { writes: Infinity, end: 'closed', failing },
      { writes: 20, end: 'closed' },
    ]);
    expect(recording.ends).toMatchObject([
      { status: 1, stderr: expect.stringContaining('could not be synced to its disk') },
      { status: 0, stderr: '' },
    ]);
    expect(power.afterCuts(recording, cutsOf(recording.steps, 2, 5))).toEqual([]);
  },
);
