import { webhookCommands } from './operators/admin-commands.ts';
import { runAdmin } from '@svc/service/admin/run-admin';
import { healthCommands } from '@svc/service/admin/health-commands';
import { deadLetterCommands } from '@svc/service/dead-letters/admin-commands';
import { secretCommands } from '@svc/service/reencryption/admin-commands';

await runAdmin([...webhookCommands, ...deadLetterCommands, ...secretCommands('OPS_TOKEN'), ...healthCommands]);
