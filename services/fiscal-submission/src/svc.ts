import { chainCommands } from './after-restore/admin-commands.ts';
import { runAdmin } from '@svc/service/admin/run-admin';
import { healthCommands } from '@svc/service/admin/health-commands';
import { deadLetterCommands } from '@svc/service/dead-letters/admin-commands';

await runAdmin([...chainCommands, ...deadLetterCommands, ...healthCommands]);
