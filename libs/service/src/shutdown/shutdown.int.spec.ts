import { spawn } from 'node:child_process';
import { once } from 'node:events';

const here = (path: string) => new URL(path, import.meta.url).href;
const logger = '{ info: (...words) => console.log(words.at(-1)), error: (...words) => console.log(words.at(-1)) }';

/** The signal to send to a process when it has printed a line. */
type Signals = Partial<Record<'running' | 'stopping' | 'still stopping', NodeJS.Signals>>;

/** Runs a process whose `stop` is this code. Returns its exit code and output. */
async function run(stop: string, signals: Signals, clock = 'systemClock'): Promise<{ code: number | null; said: string[] }> {
  const program = `
    import { FakeClock, systemClock } from '@svc/kernel';
    import { installShutdown } from '${here('./shutdown.ts')}';
    const clock = ${clock};
    const health = { stop: () => console.log('not ready') };
    installShutdown({ health, logger: ${logger}, clock, stop: ${stop} });
    setInterval(() => undefined, 1000);
    console.log('running');`;
  const flags = [
    '--conditions=@svc/source',
    '--experimental-transform-types',
    '--disable-warning=ExperimentalWarning',
    '--input-type=module',
  ];
  const child = spawn(process.execPath, [...flags, '-e', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { PATH: process.env.PATH },
  });
  let said = '';
  const ended = once(child, 'close');
  child.stdout.on('data', (chunk) => {
    const before = said.lastIndexOf('\n') + 1;
    said += chunk;
    for (const line of said.slice(before, said.lastIndexOf('\n') + 1).split('\n')) child.kill(signals[line as keyof Signals] ?? 0);
  });
  const [code] = await ended;
  return { code, said: said.trim().split('\n') };
}

describe('stopping', () => {
  test.each(['SIGTERM', 'SIGINT'] as const)('%s: not ready, then work in hand is finished, then the process ends', async (signal) => {
    const { code, said } = await run("async () => { await clock.sleep(50); console.log('finished'); }", { running: signal });
    expect([code, said]).toEqual([0, ['running', 'not ready', 'stopping', 'finished', 'stopped']]);
  });

  test('a stop that fails ends the process with exit code 1', async () => {
    const { code, said } = await run("async () => { throw new Error('x'); }", { running: 'SIGTERM' });
    expect([code, said.at(-1)]).toEqual([1, 'not everything was finished']);
  });

  test('a stop that takes longer than 25 s is abandoned', async () => {
    const { code, said } = await run(
      '() => { clock.advance(25_000); return new Promise(() => undefined); }',
      { running: 'SIGTERM' },
      'new FakeClock()',
    );
    expect([code, said.at(-1)]).toEqual([1, 'not everything was finished']);
  });

  test('a second signal ends it at once', async () => {
    const stop = `async () => { await clock.advance(1_100); console.log('still stopping'); await new Promise(() => undefined); }`;
    const { code, said } = await run(stop, { running: 'SIGTERM', 'still stopping': 'SIGINT' }, 'new FakeClock()');
    expect([code, said.at(-1)]).toEqual([1, 'still stopping']);
  });

  test('two signals within a second count as one', async () => {
    const { code, said } = await run("async () => { await clock.sleep(50); console.log('finished'); }", {
      running: 'SIGINT',
      stopping: 'SIGTERM',
    });
    expect([code, said]).toEqual([0, ['running', 'not ready', 'stopping', 'finished', 'stopped']]);
  });
});
