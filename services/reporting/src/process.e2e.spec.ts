import { startReporting } from './testing/reporting-process.ts';

describe('a service as a process', () => {
  test('--help prints every setting with its allowed values and default', async () => {
    const { ended, said } = await startReporting({}, ['--help']);
    expect(await ended).toBe(0);
    expect(said()).toMatch(/^Reports over invoices, receipts and customers\. Settings, from the environment:/);
    for (const text of ['KAFKA_BROKERS', 'hosts and ports', 'PORT', '[3000]']) expect(said()).toContain(text);
  });

  test('exits with 1 for missing or invalid settings, names all of them and shows no secret', async () => {
    const { ended, said } = await startReporting({ KAFKA_BROKERS: undefined, MONGODB_URL: 'http://u:hunter2@x', NAMESPACE: 'a-b' });
    expect(await ended).toBe(1);
    expect(said().split('\n').sort()).toEqual([
      '',
      'KAFKA_BROKERS is not set; it must be hosts and ports with commas between, such as 127.0.0.1:9092',
      'MONGODB_URL is (hidden); it must be a URL of mongodb or mongodb+srv',
      'NAMESPACE is "a-b"; it must be 1 to 16 small letters and digits',
    ]);
  });

  test('waits for missing servers: alive, not ready, with the reason; a signal still ends it', async () => {
    const { child, ended, said, report, until } = await startReporting();
    const { status, checks } = await until(({ checks: of }) => of.mongodb !== undefined && of.mongodb !== 'ok');
    expect([status, checks.http]).toEqual([503, 'is starting']);
    expect(checks.kafka).not.toBe('ok');
    expect((await report('/healthz')).status).toBe(200);
    child.kill('SIGTERM');
    expect(await ended).toBe(0);
    for (const line of ['"stopping"', '"stopped"']) expect(said()).toContain(line); // In either order: the last lines are written at the exit.
  });

  test('reports a taken port in one line', async () => {
    const first = await startReporting();
    await first.until(() => true);
    const { ended, said } = await startReporting({ OPS_PORT: new URL(first.opsUrl).port });
    expect(await ended).toBe(1);
    expect(said()).toMatch(/^OPS_PORT \d+ is taken: OPS_PORT=\d+\n$/);
    first.child.kill('SIGTERM');
    await first.ended;
  });

  test('ends with its parent process', async () => {
    const { child, ended, until } = await startReporting();
    await until(() => true);
    child.disconnect();
    expect(await ended).toBe(1);
  });
});
