import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { verifyWebhook, type WebhookDelivery } from '@svc/client';
import { steps } from '@svc/contracts/openapi/guide/walk/steps';
import { walk, type Language } from '@svc/contracts/openapi/guide/walk/walk';
import { freePort, startSystem, type System } from '@svc/testkit';

/** How each program runs, and whether it receives the webhook itself. */
const ways: Record<Language, { command: (file: string) => string[]; file: string; receives: boolean }> = {
  curl: { command: (file) => ['sh', '-e', file], file: 'main.sh', receives: false },
  typescript: { command: (file) => [process.execPath, file], file: 'main.mts', receives: true },
  python: { command: (file) => ['python3', '-u', file], file: 'main.py', receives: true },
  go: { command: (file) => ['go', 'run', file], file: 'main.go', receives: true },
  php: { command: (file) => ['php', file], file: 'main.php', receives: false },
};

let system: System;
let folder: string;
const ports = {} as Record<Language, number>;
const languages = Object.keys(ways) as Language[];

beforeAll(async () => {
  for (const language of languages) ports[language] = await freePort();
  system = await startSystem({ WEBHOOKS_ALLOW: languages.map((language) => `http://127.0.0.1:${ports[language]}`).join(',') });
  folder = mkdtempSync(join(tmpdir(), 'walk-'));
});
afterAll(async () => {
  await system?.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** The output of the whole program; undefined without the language on this machine. */
function run(language: Language, url: string): Promise<string | undefined> {
  const programs = walk(`${system.url}/v1`)[language];
  const file = join(folder, ways[language].file);
  writeFileSync(file, steps.map(({ name }) => programs[name]).join('\n'));
  const [program = '', ...args] = ways[language].command(file);
  const env = { ...process.env, KEY: system.setup.test_key, WEBHOOK_URL: url };
  return new Promise((resolve) =>
    execFile(program, args, { env, timeout: 60_000 }, (error, out, err) => resolve(error?.code === 'ENOENT' ? undefined : out + err)),
  );
}

test.each(languages)('the first program of the reference gets a fiscal code and a genuine webhook: %s', async (language) => {
  const received: WebhookDelivery[] = [];
  const server = createServer((request, response) => {
    void request.toArray().then((chunks: Buffer[]) => {
      received.push({ body: Buffer.concat(chunks), headers: request.headers });
      response.end();
    });
  });
  const { receives } = ways[language];
  if (!receives) await new Promise<void>((resolve) => server.listen(ports[language], '127.0.0.1', resolve));
  const output = await run(language, `http://127.0.0.1:${ports[language]}/hook`);
  try {
    if (output === undefined) return;
    expect(output).toMatch(/fiscal code: [\w-]{10,}/);
    if (receives) return expect(output).toContain('event: customer.updated');
    const [, secret = ''] = /secret: (whsec_\S+)/.exec(output) ?? [];
    await fetch(`${system.url}/v1/customers`, {
      method: 'POST',
      headers: { authorization: `Bearer ${system.setup.test_key}`, 'content-type': 'application/json' },
      body: '{"name":"Kurt"}',
    });
    const deadline = Date.now() + 20_000;
    while (received.length === 0 && Date.now() < deadline) await new Promise((resolve) => setTimeout(resolve, 50));
    expect(verifyWebhook(received[0] as WebhookDelivery, secret, { signature: 'x-service-signature' }).type).toBe('customer.created');
  } finally {
    server.close();
  }
});
