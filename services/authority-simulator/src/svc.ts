import { runAdmin } from '@svc/service/admin/run-admin';

await runAdmin([]);
