import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '@svc/testkit';

/** The shell commands below these headings of README.md, in the order of the headings. */
export function commandsOf(...headings: string[]): string {
  const readme = readFileSync(join(root, 'README.md'), 'utf8');
  return headings.map((heading) => new RegExp(`^#+ ${heading}$[^]*?\`\`\`sh\n([^]*?)\`\`\``, 'm').exec(readme)?.[1] ?? '').join('\n');
}

/** Runs commands in one shell, which ends at the first that fails; returns their output. */
export const runInShell = (commands: string, env: Record<string, string> = {}): string =>
  execFileSync('sh', ['-ec', commands], { encoding: 'utf8', env: { PATH: process.env['PATH'], ...env } });
