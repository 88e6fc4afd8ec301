import { execFile, spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { freePort, startSystem, type System } from '@svc/testkit';
import { openAccount } from './testing/accounts.ts';

const examples = join(import.meta.dirname, '../../examples');
/** What each needs of the machine; without it, its test is skipped. */
const languages = [
  ['TypeScript', ['npm', '--version']],
  ['Python', ['python3', '-m', 'venv', '--help']],
  ['Go', ['go', 'version']],
  ['PHP', ['php', '-r', "require 'GuzzleHttp/autoload.php'; exec('mvn --version', $_, $code); exit($code);"]],
  ['Java', ['mvn', '--version']],
] as const;
/** A first run fetches the packages of the language. */
const DEADLINE_MS = 240_000;
const ports = new Map<string, number>();
const hookOf = (language: string): string => `http://127.0.0.1:${ports.get(language)}`;

let system: System;
let folder: string;
beforeAll(async () => {
  for (const [language] of languages) ports.set(language, await freePort());
  system = await startSystem({ WEBHOOKS_ALLOW: languages.map(([language]) => hookOf(language)).join(',') });
  folder = mkdtempSync(join(tmpdir(), 'examples-'));
  cpSync(examples, folder, { recursive: true, filter: (path) => !/\/(node_modules|\.venv|client|api|target)$/.test(path) });
});
afterAll(async () => {
  await system?.stop();
  if (folder) rmSync(folder, { recursive: true, force: true });
});

/** The commands of a language in the page that people read. */
function commandsOf(language: string): string {
  const [, commands] =
    new RegExp(`## ${language}\\n[^]*?\`\`\`sh\\n([^]*?)\`\`\``).exec(readFileSync(join(examples, 'README.md'), 'utf8')) ?? [];
  if (commands === undefined) throw new Error(`README.md has no commands of ${language}`);
  return commands;
}

/** The line of JSON that the commands print last; Maven puts colours around it. Rejects with all that they print when one fails. */
function run(commands: string, env: Record<string, string>): Promise<string> {
  const PATH = `${dirname(process.execPath)}:${process.env['PATH']}`;
  return new Promise((resolve, reject) =>
    execFile('sh', ['-ec', commands], { cwd: folder, env: { ...process.env, ...env, PATH }, timeout: DEADLINE_MS }, (error, out, err) => {
      if (error) reject(new Error(`${error.message}\n${out}\n${err}`));
      else resolve(out.match(/\{".*\}/g)?.at(-1) ?? '');
    }),
  );
}

for (const [language, [program, ...args]] of languages) {
  // Skipped without the language: a user's machine need not have all five. CI installs what Debian has.
  const isHere = spawnSync(program, args, { stdio: 'ignore' }).status === 0;
  (isHere ? test : test.skip)(
    `a client of ${language} is generated from the published document, compiles, and does what the program asks of it`,
    async () => {
      const { test: call, testKey: KEY } = await openAccount(system, language, { onAnswer: () => undefined });
      const line = await run(commandsOf(language), { API: `${system.url}/v1`, KEY, WEBHOOK_URL: `${hookOf(language)}/hook` });
      const { invoice: id, number, fiscal_code, credit_note, ...rest } = JSON.parse(line) as Record<string, unknown>;
      expect(rest).toEqual({
        ...{ total: 120.6, credit_note_total: 60.3, event: 'invoice.submitted', event_number: number, customers: 5, pages: 3 },
        ...{ error: 'validation_error', field: 'items.0.unit_price', conflict: 'version_conflict' },
      });
      const { body: stored } = await call<{ fiscal_code: string }>('GET', `/invoices/${String(id)}`);
      expect(stored).toMatchObject({ number, fiscal_code: expect.stringMatching(/./) as string, status: 'submitted', total: 120.6 });
      expect(fiscal_code).toBe(stored.fiscal_code);
      const { body: corrections } = await call<{ data: object[] }>('GET', `/invoices?corrects=${String(id)}`);
      expect(corrections.data).toMatchObject([{ number: credit_note, total: 60.3, type: 'credit_note', status: 'submitted' }]);
    },
    DEADLINE_MS + 30_000,
  );
}
