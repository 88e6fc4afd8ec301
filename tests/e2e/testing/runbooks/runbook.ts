import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { root, type System } from '@svc/testkit';

/** Texts of a page, such as `inv_…`, and what stands for them. */
export type Values = Readonly<Record<string, string>>;

/** The commands of pages of docs/runbooks, run by bash as they stand there on a system in one process. */
export interface Runbooks {
  /** All of "What to look at" at once; what they print. */
  look(page: string, values?: Values): Promise<string>;
  /** The first command of the page that calls `svc admin`, or a pod's Node, with these words; what it prints. Rejects where it fails. */
  run(page: string, words: string, values?: Values): Promise<string>;
  /** `svc admin` with these words. */
  svc(words: string): Promise<string>;
  remove(): void;
}

const FORMS = join(import.meta.dirname, 'one-process.sh');
const bash = promisify(execFile);

export const textOf = (page: string): string => readFileSync(join(root, 'docs/runbooks', `${page}.md`), 'utf8');

/** `system`: as it runs now, with this OPS_TOKEN. */
export function openRunbooks(system: () => System, OPS_TOKEN: string): Runbooks {
  const folder = mkdtempSync(join(tmpdir(), 'runbooks-'));
  async function script(text: string, values: Values = {}): Promise<string> {
    const { pid, ops, dataDir, output } = system();
    const filled = Object.entries(values).reduce((done, [from, to]) => done.replaceAll(from, to), text);
    for (const [name, target] of [
      ['.data', 'data'],
      ['.data-backups', 'data-backups'],
    ] as const)
      if (!existsSync(join(folder, name)) && existsSync(join(dataDir, target))) symlinkSync(join(dataDir, target), join(folder, name));
    const log = join(folder, 'log');
    writeFileSync(log, output());
    const env = {
      ...{
        PATH: process.env['PATH'],
        HOME: folder,
        FORMS,
        NODE: process.execPath,
        SVC: join(root, 'services/standalone/dist/bundle/svc.mjs'),
      },
      ...{ LOG: log, SERVES: String(pid), OPS_PORT: new URL(ops).port, OPS_TOKEN, DATA_DIR: join(dataDir, 'data') },
    };
    const { stdout, stderr } = await bash('bash', ['-c', `. "$FORMS"\n${filled}`], { cwd: folder, env, maxBuffer: 64 * 2 ** 20 });
    if (/no form in one process/.test(stdout)) throw new Error(stdout);
    return `${stdout}\n${stderr}`;
  }
  return {
    look(page, values) {
      const [, part = ''] = /^## What to look at$([^]*?)^## /m.exec(textOf(page)) ?? [];
      const blocks = [...part.matchAll(/^```sh\n([^]*?)^```/gm)].map(([, block]) => block);
      // What finds nothing, such as grep, exits with 1.
      return script(`${blocks.join('')}\ntrue`, values);
    },
    run(page, words, values) {
      const [command] =
        new RegExp(`(?:(?:kubectl|npm run) [^\\n\`]*)?(?:(?:svc )?admin |-- (?=node ))${words}[^\\n\`]*`).exec(textOf(page)) ?? [];
      if (command === undefined) throw new Error(`${page} has no command ${words}`);
      return script(command, values);
    },
    svc: (words) => script(`svc admin ${words}`),
    remove: () => rmSync(folder, { recursive: true }),
  };
}
