import { runAdmin } from '@svc/service/admin/run-admin';
import { deadLetterCommands } from '@svc/service/dead-letters/admin-commands';

await runAdmin(deadLetterCommands);
