import { existsSync } from 'node:fs';
import { chmod, copyFile, mkdir, mkdtemp, open, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, isAbsolute, join, resolve, sep } from 'node:path';
import type { Engine } from '@svc/embedded';
import { invalid, type Clock } from '@svc/kernel';
import { BASE, changingCopy, writeBase } from './continuous/base.ts';
import type { Base } from './continuous/continuous-copy.ts';
import { FIRST_KEYS_SHOWN } from './first-keys.ts';
import { forgetBeginnings } from './forget-beginnings.ts';
import { KEY_IN_USE } from './key-in-use.ts';
import { SECRETS, SECRETS_OMITTED } from './secrets.ts';

/** What a backup is made of. */
export interface BackupContext {
  engine: Engine;
  /** DATA_DIR. */
  folder: string;
  /** The databases of the services. */
  databases: readonly string[];
  clock: Pick<Clock, 'now'>;
}

export interface Wanted {
  /** An absolute path that is not there yet. */
  folder: string;
  /** false: secrets.json is omitted. */
  secrets?: boolean | undefined;
  /** Where the records of the continuous copy lead on from it. Absent: it is none of its bases. */
  base?: (() => Base) | undefined;
}

export type MadeBackup = Awaited<ReturnType<typeof makeBackup>>;

const WITH_SECRETS =
  'secrets.json has the keys that decrypt what data.sqlite has encrypted (secrets of webhooks, certificates and passwords for authorities, personal data of customers, peppers of API keys, kept answers), the token for /admin ' +
  'and the keys of the internal identity. Who can read the folder has them all. Secrets that the environment gives are not in it: a restore needs them too.';
const WITHOUT_SECRETS =
  'secrets.json is not in it: what data.sqlite has encrypted cannot be read with this folder alone. A restore needs the secrets.json of the data folder in it, or its rootKey in SECRETS_KEY, ' +
  'and the secrets that the environment gives. Keep them elsewhere: without them nothing decrypts it.';

/**
 * Makes a folder that a process can be started on as its DATA_DIR: the database as of one moment, the secrets that the folder has unless they are
 * omitted, and the mark that the first keys were shown, without which the process would make and print others. The ledger of the authority simulator is
 * not in it, since an authority is not restored with the product. It is made beside the folder and renamed when complete. Throws validation_error for a
 * folder that is relative, in the data folder, there already, or that cannot be written.
 */
export async function makeBackup(
  { engine, folder: from, databases, clock }: BackupContext,
  { folder: given, secrets = true, base }: Wanted,
) {
  const began = clock.now();
  const to = folderFor(from, given);
  const part = await inWords(async () => {
    await mkdir(dirname(to), { recursive: true, mode: 0o700 });
    return mkdtemp(`${to}.part-`);
  });
  const file = join(part, 'data.sqlite');
  const beside = [...(secrets ? [SECRETS] : []), ...[FIRST_KEYS_SHOWN, KEY_IN_USE].filter((name) => existsSync(join(from, name)))];
  const made = [...beside, ...(secrets ? [] : [SECRETS_OMITTED]), ...(base ? [BASE] : [])];
  try {
    await inWords(async () => {
      const leadsOn = base?.(); // All that is committed from here on is in later records, which may be older than the copy.
      await engine.copyTo(file);
      const at = Math.floor(clock.now() / 1_000 + 1) * 1_000;
      // The copy is found to be restored, and is one file without a WAL beside it.
      const before = changingCopy(file, (copy) => forgetBeginnings(copy, databases));
      if (leadsOn) await writeBase(part, { ...leadsOn, at }, before);
      for (const name of beside) await copyFile(join(from, name), join(part, name));
      if (!secrets) await writeFile(join(part, SECRETS_OMITTED), '', { mode: 0o600 });
      for (const path of [file, ...made.map((name) => join(part, name))]) {
        await chmod(path, 0o600);
        await synced(path);
      }
      await synced(part);
      await rename(part, to);
      await synced(dirname(to));
    });
  } catch (error) {
    await rm(part, { recursive: true, force: true });
    throw error;
  }
  return {
    ...{ folder: to, bytes: (await stat(join(to, 'data.sqlite'))).size, seconds: (clock.now() - began) / 1_000 },
    secrets: secrets ? WITH_SECRETS : WITHOUT_SECRETS,
  };
}

function folderFor(from: string, given: string): string {
  if (!isAbsolute(given)) throw invalid({ folder: ['Send an absolute path.'] });
  const to = resolve(given); // Without a slash at its end.
  if (`${to}${sep}`.startsWith(`${resolve(from)}${sep}`)) throw invalid({ folder: ['is in the data folder. Choose another.'] });
  if (existsSync(to)) throw invalid({ folder: ['is there already. Choose another.'] });
  return to;
}

/** An error of the file system, or of SQLite as it writes the copy, is one of the folder. */
async function inWords<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw code === undefined ? error : invalid({ folder: [`cannot be written: ${message} (${code}).`] });
  }
}

async function synced(path: string): Promise<void> {
  const handle = await open(path, 'r');
  await handle.sync();
  await handle.close();
}
