import { runAdmin } from '@svc/service/admin/run-admin';
import { healthCommands } from '@svc/service/admin/health-commands';
import { deadLetterCommands } from '@svc/service/dead-letters/admin-commands';
import { restoredCommands } from '@svc/service/restored/admin-commands';

await runAdmin([...restoredCommands, ...deadLetterCommands, ...healthCommands]);
