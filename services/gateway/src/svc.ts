import { runAdmin } from '@svc/service/admin/run-admin';
import { deadLetterCommands } from '@svc/service/dead-letters/admin-commands';
import { accountCommands } from './admin/admin-commands.ts';

await runAdmin([...accountCommands, ...deadLetterCommands]);
