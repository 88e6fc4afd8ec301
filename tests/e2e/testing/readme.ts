import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '@svc/testkit';

/** The shell commands below these headings of a page, in the order of the headings. */
export function commandsOf(page: 'README.md' | `docs/${'first-steps' | 'authorities'}.md`, ...headings: string[]): string {
  const readme = readFileSync(join(root, page), 'utf8');
  return headings.map((heading) => new RegExp(`^#+ ${heading}$[^]*?\`\`\`sh\n([^]*?)\`\`\``, 'm').exec(readme)?.[1] ?? '').join('\n');
}

/** Runs commands in one shell, which ends at the first that fails; returns their output. */
export const runInShell = (commands: string, env: Record<string, string> = {}): string =>
  execFileSync('sh', ['-ec', commands], { encoding: 'utf8', env: { PATH: process.env['PATH'], ...env } });

/** Sends the requests of requests.http in their order, as the REST Client of VS Code does. Returns the answers. */
export async function sendRequests(api: string, key: string): Promise<{ title: string; status: number; body: Record<string, unknown> }[]> {
  const [, ...parts] = readFileSync(join(root, 'requests.http'), 'utf8').split(/^### /m);
  const answers = [];
  const named = new Map<string, Record<string, unknown>>();
  for (const part of parts) {
    const filled = part.replaceAll(/\{\{(?:(\w+)\.response\.body\.)?(\w+)\}\}/g, (_, name: string | undefined, field: string) =>
      String(name === undefined ? { api, key }[field] : named.get(name)?.[field]),
    );
    const [head = '', ...body] = filled.split(/\n\n/);
    const [title = '', ...lines] = head.split('\n');
    const [request = '', ...headers] = lines.filter((line) => line !== '' && !line.startsWith('#'));
    const [method, url = ''] = request.split(' ');
    const sent = body.join('\n\n').trim();
    const response = await fetch(url, {
      ...{ method, headers: headers.map((line) => line.split(': ', 2) as [string, string]) },
      ...(sent && { body: sent }),
    });
    const answer = { title, status: response.status, body: (await response.json()) as Record<string, unknown> };
    answers.push(answer);
    const name = /^# @name (\w+)$/m.exec(part)?.[1];
    if (name !== undefined) named.set(name, answer.body);
  }
  return answers;
}
