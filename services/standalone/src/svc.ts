import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { accountCommands } from '@svc/gateway/admin/admin-commands';
import { chainCommands } from '@svc/fiscal-submission/after-restore/admin-commands';
import { submissionCommands } from '@svc/fiscal-submission/operators/admin-commands';
import { seriesCommands } from '@svc/invoicing/numbering/admin-commands';
import { documentCommands } from '@svc/invoicing/publishing/admin-commands';
import { healthCommands } from '@svc/service/admin/health-commands';
import { askOperatorsPort, withJson } from '@svc/service/admin/operators-port';
import { type AdminCommand, runAdmin } from '@svc/service/admin/run-admin';
import { secretOf } from '@svc/service/config/secret-files';
import { webhookCommands } from '@svc/webhooks-dispatcher/operators/admin-commands';
import { deadLetterCommands } from '@svc/service/dead-letters/admin-commands';
import { keptSecretCommands, secretCommands } from '@svc/service/reencryption/admin-commands';

const backup: AdminCommand = {
  name: 'backup',
  about:
    'Copies the data folder to FOLDER, an absolute path that is not there yet, while the process runs. The copy has its secrets: the keys that decrypt what ' +
    'is encrypted in it, and the token for /admin. --secrets false leaves them out; a restore then needs secrets.json, or SECRETS_KEY, from elsewhere.',
  options: { to: 'FOLDER', secrets: 'true|false' },
  needed: ['to'],
  run: ({ to = '', ...given }) => askOperatorsPort('ADMIN_TOKEN', 'POST', '/backup', { folder: to, ...withJson(given, 'secrets') }),
};

const dataDir = process.env['DATA_DIR'] ?? '.data';

const restored: AdminCommand = {
  name: 'restored',
  about:
    'The next start on DATA_DIR counts as one after a restore: for a copy that `svc admin backup` did not make. No process may run on the folder.',
  options: {},
  run: () => import('./restored-folder.ts').then(({ asRestoredFolder }) => asRestoredFolder(dataDir)),
};

const restore: AdminCommand = {
  name: 'restore',
  about:
    'Makes DATA_DIR, which has no system yet, as the system was at a second of its continuous copy (BACKUP_CONTINUOUS): --from is its BACKUP_FOLDER, --to a time such as ' +
    '2026-11-29T10:00:05Z, by default the last second that is copied. A second that is not copied is refused with those that are. --system chooses where the folder has copies of several.',
  options: { from: 'FOLDER', to: 'TIME', system: 'NAME' },
  async run({ from = process.env['BACKUP_FOLDER'] ?? `${dataDir}-backups`, to, system }) {
    const [{ restoreTo }, { databases }] = await Promise.all([import('./continuous/restore-to.ts'), import('./compose.ts')]);
    return restoreTo({ from, to, into: dataDir, system, databases: databases.map(({ database }) => database) });
  },
};

const verify: AdminCommand = {
  name: 'verify',
  about:
    'Verifies a backup, by default the DATA_DIR of a process that does not run: the file, every event, numbers, chains, lists, and that secrets.json and SECRETS_KEY ' +
    'decrypt what is encrypted. Prints what it has counted and found, and exits with 1 where something is wrong. It reads a copy, which needs as much space beside the folder. --keys-of names the folder ' +
    'whose secrets.json decrypts, for a backup without its own.',
  options: { folder: 'FOLDER', 'keys-of': 'FOLDER' },
  async run({ folder = dataDir, 'keys-of': keysOf = folder }) {
    const { verifyFolder } = await import('./verify-folder.ts');
    const verified = await verifyFolder(folder, { SECRETS_KEY: secretOf(process.env, 'SECRETS_KEY') || undefined }, keysOf);
    if (!verified.ok) process.exitCode = 1;
    return verified;
  },
};

/** Who can read the data folder is its operator. */
const secrets = join(dataDir, 'secrets.json');
if (!process.env['ADMIN_TOKEN'] && !process.env['ADMIN_TOKEN_FILE'] && existsSync(secrets))
  process.env['ADMIN_TOKEN'] = (JSON.parse(readFileSync(secrets, 'utf8')) as { adminToken?: string }).adminToken;

await runAdmin([
  backup,
  verify,
  restore,
  ...secretCommands('ADMIN_TOKEN'),
  ...keptSecretCommands('ADMIN_TOKEN'),
  ...accountCommands,
  restored,
  ...documentCommands,
  ...seriesCommands,
  ...chainCommands,
  ...submissionCommands,
  ...webhookCommands,
  ...deadLetterCommands,
  ...healthCommands,
]);
