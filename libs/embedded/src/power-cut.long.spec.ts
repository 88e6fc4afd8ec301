import { cutsOf } from './testing/cuts.ts';
import { PowerCuts } from './testing/power-cuts.ts';

const power = new PowerCuts();
afterAll(() => power.remove());
if (!power.canRecord) console.warn('Not tested: what is left after a power cut, since no C compiler (cc) is installed.');
/** Skipped without a C compiler: the library that records writes and syncs is compiled by the test, and a user's machine may have none. */
const recorded = power.canRecord ? test : test.skip;

/** Gigabytes of folders are written and opened. */
const TIMEOUT_MS = 900_000;

const [killed, closed] = [{ end: 'killed' }, { end: 'closed' }] as const;
const stopped = { signal: 'SIGKILL' };
const ended = { status: 0, stderr: '' };

recorded.each([1, 2, 3])(
  'after hundreds of power cuts nothing that was acknowledged is missing (%i)',
  (seed) => {
    const recording = power.record([
      { writes: 900, ...killed },
      { writes: 500, ...closed, scrubs: true },
      { writes: 5, ...killed },
      { writes: 500, ...killed, scrubs: true },
      { writes: 20, ...closed },
    ]);
    expect(recording.ends).toMatchObject([stopped, ended, stopped, stopped, ended]);
    expect(power.afterCuts(recording, cutsOf(recording.steps, 24, seed))).toEqual([]);
  },
  TIMEOUT_MS,
);

recorded(
  'while another process reads the database from before the WAL began, what a start has read is there after a power cut',
  () => {
    const recording = power.record([
      { writes: 20, ...closed },
      { writes: 20, ...killed, leavesReader: true },
      { writes: 20, ...killed },
      { writes: 20, ...closed },
    ]);
    expect(recording.ends).toMatchObject([ended, stopped, stopped, ended]);
    expect(power.afterCuts(recording, cutsOf(recording.steps, 12, 4))).toEqual([]);
  },
  TIMEOUT_MS,
);

recorded.each(['-wal:9', '-wal:20', '-wal:31', '-wal:40', 'data.sqlite:3', 'data.sqlite:4'])(
  'after a sync that fails (%s) the process has acknowledged nothing that a power cut then loses',
  (failing) => {
    const recording = power.record([
      { writes: Infinity, ...closed, failing },
      { writes: 20, ...closed },
    ]);
    expect(recording.ends).toMatchObject([{ status: 1, stderr: expect.stringContaining('could not be synced') }, ended]);
    expect(power.afterCuts(recording, cutsOf(recording.steps, 6, 5))).toEqual([]);
  },
  TIMEOUT_MS,
);
