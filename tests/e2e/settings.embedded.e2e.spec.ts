import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePorts, runProgram } from '@svc/testkit';

const folder = mkdtempSync(join(tmpdir(), 'svc-settings-'));
afterAll(() => rmSync(folder, { recursive: true }));

test('names every invalid setting, with its value and the allowed values', async () => {
  const env = {
    PORT: 'eighty',
    LOG_LEVEL: 'loud',
    WEBHOOKS_RETRY_DELAYS: 'soon',
    DEMO_PLAN: 'golden',
    DATA_DIR: '/nowhere/at/all',
    WEBHOOKS_KEEP_DAYS: '2',
  };
  const { code, output } = await runProgram({ env });
  expect(code).toBe(1);
  for (const [name, was, may] of [
    ['PORT', 'eighty', '65535'],
    ['LOG_LEVEL', 'loud', 'debug'],
    ['WEBHOOKS_RETRY_DELAYS', 'soon', '1m'],
    ['DEMO_PLAN', 'golden', 'professional'],
    ['WEBHOOKS_KEEP_DAYS', '2', '3 to'],
  ] as const) {
    const line = output.split('\n').find((text) => text.includes(name)) ?? '';
    expect([name, line.includes(was), line.includes(may)]).toEqual([name, true, true]);
  }
  expect(output).not.toMatch(/^\s+at /m);
});

test('names an invalid secret without its value', async () => {
  const { code, output } = await runProgram({
    env: { ...(await freePorts()), SECRETS_KEY: 'v1:hunter2', DATA_DIR: join(folder, 'data') },
  });
  expect(code).toBe(1);
  expect(output).toContain('SECRETS_KEY');
  expect(output).not.toContain('hunter2');
});

test('--help prints every setting with its default', async () => {
  const { code, output } = await runProgram({ args: ['--help'] });
  expect(code).toBe(0);
  const missing = (names: string): string[] => names.split(' ').filter((name) => !new RegExp(`\\b${name}\\b`).test(output));
  expect(missing('PORT HOST OPS_PORT PUBLIC_URL DATA_DIR SETUP_FILE ADMIN_TOKEN ADMIN_TOKENS OPS_TOKEN SECRETS_KEY')).toEqual([]);
  expect(missing('DEMO_PLAN WEBHOOKS_ALLOW WEBHOOKS_KEEP_DAYS WIRE_LOG_KEEP_DAYS')).toEqual([]);
  expect(missing('WEBHOOKS_RETRY_DELAYS AUTHORITY_PACE SIMULATOR_PORT HOSTS REQUIRE_HTTPS LOG_LEVEL OTEL_EXPORTER_OTLP_ENDPOINT')).toEqual(
    [],
  );
  expect(missing('EVENT_STORE_URL KAFKA_BROKERS MONGODB_URL INTERNAL_KEYS')).toEqual([]);
  for (const value of ['3000', '127.0.0.1', '.data', '1m,5m,30m,2h,24h', 'professional', 'info']) expect(output).toContain(value);
});

test('--check says what a start would do and makes nothing; a misspelt argument starts nothing', async () => {
  const env = { DATA_DIR: join(folder, 'unused') };
  expect(await runProgram({ args: ['--check'], env })).toEqual({ code: 0, output: expect.stringContaining('no database yet') });
  expect(await runProgram({ args: ['--chek'], env })).toEqual({ code: 1, output: expect.stringContaining('no such argument: --chek') });
  expect(existsSync(env.DATA_DIR)).toBe(false);
});
