import type { DocumentStore } from '@svc/document-store';
import { forgetBeginning } from '@svc/document-store/restored';
import { onlyBearer, type AddRoutes } from '../index.ts';

/**
 * `POST /admin/restored` of the operators' port: the next start of the service finds that these databases were restored. For a restore that
 * the service cannot notice, since all of a database came back. Requires the bearer token `OPS_TOKEN`; if it is not set, every request is
 * answered with 403.
 */
export const restoredRoutes =
  (databases: readonly DocumentStore[], token: string | undefined): AddRoutes =>
  async (ops) => {
    await ops.register(
      async (admin) => {
        admin.addHook('onRequest', onlyBearer('OPS_TOKEN', token));
        admin.post('/', async () => {
          await Promise.all(databases.map(forgetBeginning));
          return { next: 'Restart every process of this service, all at once.' };
        });
      },
      { prefix: '/admin/restored' },
    );
  };
