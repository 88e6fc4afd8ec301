import { IsFlag, IsText, Optional } from '@svc/contracts/schema/decorators/index';
import { DomainError, type Clock } from '@svc/kernel';
import { onlyBearer, validatedBody, type AddRoutes, type OperatorTokens } from '@svc/service';
import { makeBackup, type BackupContext, type MadeBackup, type Wanted } from './make-backup.ts';

class Backup {
  @IsText(4_000) folder: string;
  /** false: secrets.json is omitted. */
  @Optional() @IsFlag() secrets?: boolean;
}

/** Makes backups, one at a time. Throws `invalid_state` while another is being made, and as `makeBackup` does. */
export interface Backups {
  (wanted: Wanted): Promise<MadeBackup>;
  /** One is being made. */
  isRunning(): boolean;
}

export function backupsOf(context: BackupContext): Backups {
  let running = false;
  const backUp = async (wanted: Wanted): Promise<MadeBackup> => {
    if (running) throw new DomainError('invalid_state', 'Another backup is being made. Repeat the request when it has ended.');
    running = true;
    try {
      return await makeBackup(context, wanted);
    } finally {
      running = false;
    }
  };
  return Object.assign(backUp, { isRunning: () => running });
}

export interface BackupRoutesContext {
  backUp: Backups;
  clock: Clock;
  logger: { info(fields: object, message: string): void };
}

/** `POST /admin/backup {folder, secrets?}` of the operators' port: copies the data folder while the process runs. Requires one of the operators' bearer tokens. */
export const backupRoutes =
  ({ backUp, clock, logger }: BackupRoutesContext, { token, named }: OperatorTokens): AddRoutes =>
  async (ops) => {
    await ops.register(
      async (admin) => {
        admin.addHook('onRequest', onlyBearer('ADMIN_TOKEN', token, named, clock));
        admin.post('/', validatedBody(Backup), async ({ body, operator }) => {
          const wanted = body as Backup;
          const made = await backUp(wanted);
          logger.info({ folder: made.folder, secrets: wanted.secrets ?? true, operator }, 'a backup was made');
          return made;
        });
      },
      { prefix: '/admin/backup' },
    );
  };
