import { Health } from '../health/health.ts';
import { startOps, type Ops } from '../health/ops.ts';
import { createLogger } from '../logging/logger.ts';
import { healthCommands } from './health-commands.ts';
import { admin } from './run-admin.ts';

let ops: Ops;
let why: true | string = true;
beforeAll(async () => {
  const health = new Health();
  health.registerServer('mongodb', () => why);
  ops = await startOps({ host: '127.0.0.1', port: 0, health, logger: createLogger({ level: 'silent', service: 'things' }) });
  process.env['OPS_PORT'] = String(ops.port);
});
afterAll(() => ops.close());
const run = (line: string): Promise<unknown> => admin(healthCommands, ['admin', ...line.split(' ')]);

test('svc admin readiness shows each check, also of a process that is not ready', async () => {
  why = true;
  expect(await run('readiness')).toEqual({ status: 'ok', checks: { mongodb: 'ok' } });
  why = 'MongoDB does not answer';
  expect(await run('readiness')).toEqual({ status: 'unavailable', checks: { mongodb: 'MongoDB does not answer' } });
  expect(await run('liveness')).toMatchObject({ status: 'ok', checks: {}, version: expect.any(String), commit: expect.any(String) });
});

test('svc admin metrics shows those whose name contains a text', async () => {
  why = 'MongoDB does not answer';
  const text = String(await run('metrics --match server_up'));
  expect(text.split('\n').at(-1)).toBe('svc_server_up{server="mongodb"} 0');
  expect(text).not.toContain('svc_ready');
  expect(String(await run('metrics'))).toContain('svc_ready 0');
});

test('a server that hangs is one that does not answer, and the metric is not omitted', async () => {
  const hangs = new Health();
  hangs.registerServer('kafka', () => new Promise(() => undefined));
  const other = await startOps({ host: '127.0.0.1', port: 0, health: hangs, logger: createLogger({ level: 'silent', service: 'things' }) });
  const text = await (await fetch(`http://127.0.0.1:${other.port}/metrics`)).text();
  expect(text).toContain('svc_server_up{server="kafka"} 0');
  expect(text).toContain('svc_ready 0');
  await other.close();
});
