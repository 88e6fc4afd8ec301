import { systemClock } from '@svc/kernel';
import { askOperatorsPort } from '../admin/operators-port.ts';
import type { AdminCommand } from '../admin/run-admin.ts';

const LOOK_MS = 500;

type Token = 'ADMIN_TOKEN' | 'OPS_TOKEN';

/** Runs until everything is encrypted with the newest key. Throws where it ends early. */
async function reencrypt(token: Token): Promise<unknown> {
  type Run = { running: boolean; changed: number; failed: string | null };
  let run = (await askOperatorsPort(token, 'POST', '/secrets/reencrypt')) as Run;
  while (run.running) {
    await systemClock.sleep(LOOK_MS);
    run = (await askOperatorsPort(token, 'GET', '/secrets/reencrypt')) as Run;
  }
  if (run.failed !== null) throw new Error(`It ended early, after ${run.changed} documents: ${run.failed} Repeat the command: it goes on.`);
  return { changed: run.changed, next: 'svc admin secrets status: a key that decrypts nothing can go.' };
}

/** The commands for keys that the environment gives. */
export const secretCommands = (token: Token): AdminCommand[] => [
  {
    name: 'secrets status',
    about:
      'Counts the stored ciphertexts: those of the newest key of SECRETS_KEY, those of older ones, and those that none decrypts. Where older is 0, the older keys can go.',
    options: {},
    run: () => askOperatorsPort(token, 'GET', '/secrets'),
  },
  {
    name: 'secrets reencrypt',
    about:
      'Encrypts with the newest key what older ones have encrypted, while the process serves. Once every replica has the newest key; repeat it where it ends early.',
    options: {},
    run: () => reencrypt(token),
  },
];

/** The commands for keys that the process keeps itself. */
export const keptSecretCommands = (token: Token): AdminCommand[] => [
  {
    name: 'secrets rotate',
    about:
      'Adds a new key to secrets.json, which encrypts from now on. The older ones go on decrypting. Make a backup then: one from before does not have it.',
    options: {},
    run: () => askOperatorsPort(token, 'POST', '/secrets/rotate'),
  },
  {
    name: 'secrets retire',
    about:
      'Removes the older keys from secrets.json. Refused while something needs them: run `secrets reencrypt` first. Backups from before need them: keep the secrets.json of then with them.',
    options: {},
    run: () => askOperatorsPort(token, 'POST', '/secrets/retire'),
  },
];
