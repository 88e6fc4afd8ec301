import type { AdminCommand } from './run-admin.ts';

/** `/readyz` and `/healthz` answer 503 where something is wrong: what they say then is wanted most. */
async function textAt(path: string): Promise<string> {
  const { OPS_PORT = '3001' } = process.env;
  const response = await fetch(`http://127.0.0.1:${OPS_PORT}${path}`).catch(() => {
    throw new Error(`The operators’ port ${OPS_PORT} of this container does not answer.`);
  });
  return response.text();
}

const checksAt = async (path: string): Promise<unknown> => JSON.parse(await textAt(path)) as unknown;

/** `svc admin readiness`, `liveness` and `metrics`: what the operators' port of the process in the same container says to anybody. */
export const healthCommands: AdminCommand[] = [
  {
    name: 'readiness',
    about: 'Shows whether the process is ready: each of its checks, its servers among them, as ok or the reason.',
    options: {},
    run: () => checksAt('/readyz'),
  },
  {
    name: 'liveness',
    about: 'Shows whether the background work of the process makes progress.',
    options: {},
    run: () => checksAt('/healthz'),
  },
  {
    name: 'metrics',
    about: 'Shows the metrics of the process whose name contains TEXT, or all.',
    options: { match: 'TEXT' },
    async run({ match = '' }) {
      const lines = (await textAt('/metrics')).split('\n');
      const nameOf = (line: string): string => line.replace(/^# (?:HELP|TYPE) /, '').split(/[{ ]/, 1)[0] as string;
      return lines.filter((line) => line !== '' && nameOf(line).includes(match)).join('\n');
    },
  },
];
