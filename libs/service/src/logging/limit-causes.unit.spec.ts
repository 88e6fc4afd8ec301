import { FakeClock } from '@svc/kernel';
import { pino } from 'pino';
import { limitCauses } from './limit-causes.ts';

function setUp() {
  const clock = new FakeClock();
  const lines: { level: number; msg: string; cause?: string; count?: number }[] = [];
  const destination = { write: (line: string) => void lines.push(JSON.parse(line)) };
  const logger = pino({ hooks: { logMethod: limitCauses(clock) } }, destination);
  const written = (msg: string): number => lines.filter((line) => line.msg === msg).length;
  return { clock, lines, logger, written };
}
const full = Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });

test('of a cause at most 60 lines are written in any minute, whoever logs them, and a line says how many were not', async () => {
  const { clock, lines, logger, written } = setUp();
  for (let second = 0; second < 60; second += 1) {
    for (let n = 0; n < 50; n += 1) logger.child({ account: `acct_${n}` }).error({ err: full }, 'request failed');
    await clock.advance(1_000);
  }
  const count = written('request failed');
  expect(count).toBeGreaterThanOrEqual(30);
  expect(count).toBeLessThanOrEqual(60);
  expect(lines.filter(({ msg }) => msg === 'more such lines were suppressed')).toEqual([
    expect.objectContaining({ level: 40, cause: 'request failed, ENOSPC', count: 3_000 - count }),
  ]);
});

test('another cause, another error of the same message and what is no warning are written', () => {
  const { logger, written } = setUp();
  for (let n = 0; n < 100; n += 1) logger.warn('a server does not answer');
  expect(written('a server does not answer')).toBe(30);
  logger.warn('another');
  logger.warn({ err: full }, 'a server does not answer');
  logger.warn({ code: 'service_unavailable' }, 'a server does not answer');
  for (let n = 0; n < 100; n += 1) logger.info('serves');
  expect([written('another'), written('a server does not answer'), written('serves')]).toEqual([1, 32, 100]);
});

test('what ends the process is always written', () => {
  const { logger, written } = setUp();
  for (let n = 0; n < 100; n += 1) logger.fatal({ err: full }, 'uncaught exception');
  expect(written('uncaught exception')).toBe(100);
});
