import { chainCommands } from './after-restore/admin-commands.ts';
import { submissionCommands } from './operators/admin-commands.ts';
import { runAdmin } from '@svc/service/admin/run-admin';
import { healthCommands } from '@svc/service/admin/health-commands';
import { deadLetterCommands } from '@svc/service/dead-letters/admin-commands';
import { secretCommands } from '@svc/service/reencryption/admin-commands';

await runAdmin([...chainCommands, ...submissionCommands, ...deadLetterCommands, ...secretCommands('OPS_TOKEN'), ...healthCommands]);
