import 'reflect-metadata';
import { describeConfig } from '../config/describe-config.ts';
import { ConfigError, loadConfig } from '../config/load-config.ts';
import { createLogger, type Logger, type LogLevel } from '../logging/logger.ts';
import { StartError } from './start-error.ts';

export interface Program<C extends object> {
  /** Name in the log. */
  name: string;
  /** The first line of `--help`. */
  about: string;
  config: new () => C;
  start(config: C, logger: Logger): Promise<void>;
  /** What `--check` prints: what a start would do. It changes nothing, and throws what the start would throw. */
  check?(config: C): string;
}

/**
 * Runs a program with settings from the environment. `--help` prints the settings, `--check` what a start would do. A failed start exits with 1; an error that an operator can fix
 * is printed as its message only. An uncaught error ends the process: its state is unknown, and everything acknowledged is stored.
 */
export async function runProgram<C extends { LOG_LEVEL: LogLevel }>({ name, about, config, start, check }: Program<C>): Promise<void> {
  const [argument] = process.argv.slice(2);
  if (argument === '--help') {
    console.log(`${about} Settings, from the environment:\n\n${describeConfig(config)}`);
    return;
  }
  endWithParent();
  try {
    const checks = argument === '--check' ? check : undefined;
    if (argument !== undefined && !checks)
      throw new StartError(`no such argument: ${argument}; there are ${check ? '--check and ' : ''}--help`);
    const settings = loadConfig(config, process.env);
    if (checks) return console.log(checks(settings));
    const logger = createLogger({ level: settings.LOG_LEVEL, service: name });
    const fatal = (what: string) => (error: unknown) => {
      logger.fatal({ err: error }, what);
      process.exit(1);
    };
    process.on('unhandledRejection', fatal('unhandled rejection'));
    process.on('uncaughtException', fatal('uncaught exception'));
    await start(settings, logger);
  } catch (error) {
    console.error(inWords(error));
    process.exit(1);
  }
}

/** The message of an error that an operator can fix. Never the whole error, which may hold a connection string. */
function inWords(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  if (error.name === 'MongoParseError') return `MONGODB_URL: ${error.message}`;
  const isFixable = error instanceof ConfigError || error instanceof StartError || FIXABLE.test(String(error));
  return isFixable ? error.message : error.stack;
}

/** Errors of the embedded engine about its folder, and of ports that were taken since the check. */
const FIXABLE = /data folder|EADDRINUSE|EADDRNOTAVAIL|EACCES/;

/** Ends this process when the parent ends that started it with an IPC channel, so that its ports are free for the next start. */
function endWithParent(): void {
  if (process.channel) process.once('disconnect', () => process.exit(1));
}
