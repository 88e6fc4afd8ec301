import { DomainError } from '@svc/kernel';
import type { FastifyRequest } from 'fastify';
import type { AddRoutes } from '../health/ops.ts';
import { countCiphertexts, reencrypt, type Counts, type EncryptedDocuments } from './stored-ciphertexts.ts';

/** Where the keys are kept by the process itself, and not given by its environment. */
export interface KeptKeys {
  rotate(): object;
  retire(): object;
}

export interface SecretRoutesContext {
  encrypted: readonly EncryptedDocuments[];
  keys?: KeptKeys;
  /** Of the operators' token. */
  onRequest: (request: FastifyRequest) => Promise<void>;
  logger: { info(fields: object, message: string): void; error(fields: object, message: string): void };
}

/** The run that encrypts anew, which goes on when the request has ended. */
interface Run {
  running: boolean;
  /** Documents. */
  changed: number;
  failed: string | null;
}

/** `/admin/secrets` of the operators' port: which keys are in use, and what makes an older one unused. */
export const secretRoutes =
  ({ encrypted, keys, onRequest, logger }: SecretRoutesContext): AddRoutes =>
  async (ops) => {
    let run: Run = { running: false, changed: 0, failed: null };

    async function encryptAnew(): Promise<void> {
      const now: Run = (run = { running: true, changed: 0, failed: null });
      try {
        for (const one of encrypted) await reencrypt(one, () => (now.changed += 1));
        logger.info({ changed: now.changed }, 'what older keys had encrypted is encrypted with the newest');
      } catch (error) {
        now.failed = (error as Error).message;
        logger.error({ err: error }, 'encrypting with the newest key ended early; a repeat goes on');
      } finally {
        now.running = false;
      }
    }

    const status = async () => {
      const services: Record<string, Record<string, Counts>> = {};
      for (const one of encrypted) services[one.service] = await countCiphertexts(one);
      return { services, ...sumOf(services) };
    };

    await ops.register(
      async (admin) => {
        admin.addHook('onRequest', onRequest);
        admin.get('/', status);
        admin.get('/reencrypt', async () => run);
        admin.post('/reencrypt', async () => {
          if (!run.running) void encryptAnew();
          return run;
        });
        if (!keys) return;
        admin.post('/rotate', async () => keys.rotate());
        admin.post('/retire', async () => {
          if (run.running)
            throw new DomainError(
              'invalid_state',
              'What older keys have encrypted is being encrypted anew. Repeat this when it has ended.',
            );
          const { older, unreadable } = await status();
          if (older + unreadable > 0)
            throw new DomainError(
              'invalid_state',
              `Older keys are needed: ${older} ciphertexts are theirs, and no key decrypts ${unreadable}. Run secrets reencrypt first.`,
            );
          return keys.retire();
        });
      },
      { prefix: '/admin/secrets' },
    );
  };

function sumOf(services: Record<string, Record<string, Counts>>): Counts {
  const sum = { newest: 0, older: 0, unreadable: 0 };
  for (const counts of Object.values(services).flatMap((collections) => Object.values(collections)))
    for (const state of ['newest', 'older', 'unreadable'] as const) sum[state] += counts[state];
  return sum;
}
