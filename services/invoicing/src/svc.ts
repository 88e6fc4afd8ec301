import { type AdminCommand, runAdmin } from '@svc/service/admin/run-admin';
import { healthCommands } from '@svc/service/admin/health-commands';
import { deadLetterCommands } from '@svc/service/dead-letters/admin-commands';
import { secretCommands } from '@svc/service/reencryption/admin-commands';
import { seriesCommands } from './numbering/admin-commands.ts';
import { documentCommands } from './publishing/admin-commands.ts';

const dropViews: AdminCommand = {
  name: 'drop-views',
  about: 'Removes the read models that are older than this release’s, once no process of an older one runs.',
  options: {},
  run: () => import('./drop-views.ts').then(() => undefined),
};

await runAdmin([
  dropViews,
  ...documentCommands,
  ...seriesCommands,
  ...deadLetterCommands,
  ...secretCommands('OPS_TOKEN'),
  ...healthCommands,
]);
