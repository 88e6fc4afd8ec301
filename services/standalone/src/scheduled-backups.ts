import { mkdir, readdir, rename, rm, stat } from 'node:fs/promises';
import { join, resolve, sep } from 'node:path';
import { freeBytesOf, inMiB } from '@svc/embedded';
import { iso, millisOf, systemClock, type Clock } from '@svc/kernel';
import type { Logger } from '@svc/service';
import { StartError } from '@svc/service/process/start-error';
import type { Backups } from './backup.ts';
import { basesOf } from './continuous/base.ts';
import type { ContinuousCopy } from './continuous/continuous-copy.ts';
import type { StandaloneConfig } from './config.ts';
import { measureBackups } from './metrics.ts';
import type { Verified } from './verify-folder.ts';
import { verifyInChild } from './verify-in-child.ts';

/** After a failed one, so that a disk with space again has a backup soon; no sooner than the schedule wants. */
const AGAIN_MS = 10 * 60_000;
/** Timers take no more than 24 days. */
const LONGEST_SLEEP_MS = 86_400_000;
const SHORTEST_MS = 60_000;
/** Whether the continuous copy needs a base. */
const ASK_AGAIN_MS = 5_000;
/** From one backup to the next, where the continuous copy needs a base: nothing is copied that a restore can use until there is one. */
const BASE_AGAIN_MS = 10_000;
/** Behind the name of a copy until it is verified. */
const UNVERIFIED = '.unverified';

export interface Schedule {
  /** Milliseconds from one backup to the next. */
  every: number;
  /** Absolute path; made where it is not there. Others may have their backups there, too. */
  folder: string;
  /** So many of the newest are kept. */
  keep: number;
  /** false: without secrets.json. */
  secrets: boolean;
  /** Between two backups each second's changes are copied beside them. */
  continuous: boolean;
}

export interface ScheduledBackupsOptions {
  schedule: Schedule;
  /** Begins the names of the copies: it names this system alone. */
  system: string;
  /** The data folder. */
  dataFolder: string;
  backUp: Backups;
  /** Ends early where the signal aborts. */
  verify(folder: string, signal: AbortSignal): Promise<Pick<Verified, 'ok' | 'problems'>>;
  /** Its bases are these backups. One that begins anew has one soon. */
  copy?: Pick<ContinuousCopy, 'base' | 'needsBase' | 'useBases'> | undefined;
  clock: Clock;
  logger: Pick<Logger, 'info' | 'error'>;
}

/**
 * Makes a backup whenever the newest is older than the schedule wants, also after a restart, verifies it, and removes the oldest ones beyond `keep` that it has
 * made. One that fails is logged, counted, and tried again; the others stay.
 */
export function startBackups(options: ScheduledBackupsOptions) {
  const { schedule, copy, clock, logger } = options;
  const stopping = new AbortController();
  const { signal } = stopping;
  // Not read from the folder when it is asked for: its disk may be away, which must hold up nothing else.
  let [failures, newest] = [0, -Infinity];

  /** Milliseconds, at most until it is to be asked again. */
  function dueIn(): number {
    const left = newest + schedule.every - clock.now();
    if (!copy) return Math.min(left, LONGEST_SLEEP_MS);
    return copy.needsBase() ? Math.min(left, newest + BASE_AGAIN_MS - clock.now()) : Math.min(left, ASK_AGAIN_MS);
  }

  async function step(): Promise<void> {
    newest = await newestOf(options);
    await copy?.useBases(await basesOf(schedule.folder, await copiesOf(options)));
    const left = dueIn();
    if (left > 0) return clock.sleep(left, signal);
    newest = await makeOne(options, signal);
    await removeOldest(options);
  }

  async function run(): Promise<void> {
    while (!signal.aborted)
      try {
        await step();
      } catch (error) {
        if (signal.aborted) return;
        failures += 1;
        logger.error({ err: error, folder: schedule.folder }, 'a scheduled backup failed; it is tried again');
        await clock.sleep(Math.min(copy?.needsBase() ? SHORTEST_MS : AGAIN_MS, schedule.every), signal);
      }
  }

  const running = run();
  return {
    /** When the newest verified copy was made, in seconds since 1970; 0: there is none. */
    newestSeconds: (): number => Math.max(0, newest / 1_000),
    failures: (): number => failures,
    /** Resolves when the backup in hand is made. */
    async stop(): Promise<void> {
      stopping.abort();
      await running;
    },
  };
}

/** Returns when it was made, in milliseconds since 1970. */
async function makeOne(options: ScheduledBackupsOptions, signal: AbortSignal): Promise<number> {
  const { schedule, system, dataFolder, backUp, verify, copy, clock, logger } = options;
  await mkdir(schedule.folder, { recursive: true, mode: 0o700 });
  await removeUnverified(schedule.folder, system);
  await checkSpace(dataFolder, schedule.folder);
  const name = `${system}-${iso(clock.now()).slice(0, 19).replaceAll(':', '-')}Z`;
  const path = join(schedule.folder, name);
  const { bytes, seconds } = await backUp({ folder: `${path}${UNVERIFIED}`, secrets: schedule.secrets, base: copy?.base });
  const { ok, problems } = await verify(`${path}${UNVERIFIED}`, signal);
  if (!ok) throw new Error(`${path}${UNVERIFIED} is not whole: ${problems.join('; ')}`);
  await rename(`${path}${UNVERIFIED}`, path);
  logger.info({ folder: path, bytes, seconds }, 'a scheduled backup was made and verified');
  return madeAt(name);
}

async function removeOldest(options: ScheduledBackupsOptions): Promise<void> {
  const { folder, keep } = options.schedule;
  for (const old of (await copiesOf(options)).slice(0, -keep)) await rm(join(folder, old), { recursive: true });
}

/** Names of the verified copies of this system, the oldest first, without those of a time to come: a wrong clock has made them. */
async function copiesOf({ schedule, system, clock }: ScheduledBackupsOptions): Promise<string[]> {
  const pattern = new RegExp(`^${system}-\\d{4}-\\d\\d-\\d\\dT\\d\\d-\\d\\d-\\d\\dZ$`);
  const names = await readdir(schedule.folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  return names.filter((name) => pattern.test(name) && madeAt(name) <= clock.now()).sort();
}

/** By the name of a copy, in milliseconds since 1970. */
function madeAt(name: string): number {
  const [day, time = ''] = name.slice(name.indexOf('-') + 1).split('T');
  return millisOf(`${day}T${time.replaceAll('-', ':')}`);
}

/** In milliseconds since 1970; -Infinity: there is none. */
async function newestOf(options: ScheduledBackupsOptions): Promise<number> {
  const newest = (await copiesOf(options)).at(-1);
  return newest === undefined ? -Infinity : madeAt(newest);
}

/** What earlier tries and ended processes have left. */
async function removeUnverified(folder: string, system: string): Promise<void> {
  for (const name of await readdir(folder))
    if (name.startsWith(`${system}-`) && name.includes(`Z${UNVERIFIED}`)) await rm(join(folder, name), { recursive: true });
}

/** The copy, and the copy of it that is verified. */
async function checkSpace(dataFolder: string, folder: string): Promise<void> {
  const needed = 2 * (await stat(join(dataFolder, 'data.sqlite'))).size;
  const free = freeBytesOf(folder);
  if (free < needed) throw new Error(`a backup and its verification need ${inMiB(needed)} MiB in ${folder}; ${inMiB(free)} MiB are free`);
}

type Settings = Pick<
  StandaloneConfig,
  'DATA_DIR' | 'BACKUP_EVERY' | 'BACKUP_FOLDER' | 'BACKUP_KEEP' | 'BACKUP_SECRETS' | 'BACKUP_CONTINUOUS'
>;

/** What the settings say; undefined: no backups. Throws a `StartError` for a folder in the data folder, and for an interval of less than a minute. */
export function scheduleOf(config: Settings): Schedule | undefined {
  const {
    DATA_DIR,
    BACKUP_EVERY: every,
    BACKUP_FOLDER = `${resolve(DATA_DIR)}-backups`,
    BACKUP_KEEP: keep,
    BACKUP_SECRETS: secrets,
    BACKUP_CONTINUOUS: continuous,
  } = config;
  if (every === undefined && continuous) throw new StartError('BACKUP_CONTINUOUS needs BACKUP_EVERY: the copy leads on from these backups');
  if (every === undefined) return undefined;
  const folder = resolve(BACKUP_FOLDER);
  if (every < SHORTEST_MS) throw new StartError('BACKUP_EVERY must be 1m or more');
  if (`${folder}${sep}`.startsWith(`${resolve(DATA_DIR)}${sep}`))
    throw new StartError(`BACKUP_FOLDER ${folder} is in DATA_DIR: choose another`);
  return { every, folder, keep, secrets, continuous };
}

/** Backups with their metrics. */
export function measuredBackups(
  schedule: Schedule,
  options: Pick<ScheduledBackupsOptions, 'system' | 'dataFolder' | 'backUp' | 'copy' | 'logger'>,
) {
  const verify: ScheduledBackupsOptions['verify'] = (folder, signal) => verifyInChild(folder, { keysOf: options.dataFolder, signal });
  const backups = startBackups({ ...options, schedule, verify, clock: systemClock });
  measureBackups(backups, schedule.every);
  return backups;
}
