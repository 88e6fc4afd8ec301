import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { accountCommands } from '@svc/gateway/admin/admin-commands';
import { seriesCommands } from '@svc/invoicing/restore/admin-commands';
import { healthCommands } from '@svc/service/admin/health-commands';
import { askOperatorsPort } from '@svc/service/admin/operators-port';
import { type AdminCommand, runAdmin } from '@svc/service/admin/run-admin';
import { deadLetterCommands } from '@svc/service/dead-letters/admin-commands';
import { restoredCommands } from '@svc/service/restored/admin-commands';

const backup: AdminCommand = {
  name: 'backup',
  about: 'Copies the data folder to FOLDER, an absolute path that is not there yet, while the process runs.',
  options: { to: 'FOLDER' },
  run: ({ to = '' }) => askOperatorsPort('ADMIN_TOKEN', 'POST', '/backup', { folder: to }),
};

/** Who can read the data folder is its operator. */
const secrets = join(process.env['DATA_DIR'] ?? '.data', 'secrets.json');
if (process.env['ADMIN_TOKEN'] === undefined && existsSync(secrets))
  process.env['ADMIN_TOKEN'] = (JSON.parse(readFileSync(secrets, 'utf8')) as { adminToken?: string }).adminToken;

await runAdmin([backup, ...accountCommands, ...restoredCommands, ...seriesCommands, ...deadLetterCommands, ...healthCommands]);
