import 'reflect-metadata';
import { describeConfig } from '../config/describe-config.ts';
import { ConfigError, loadConfig } from '../config/load-config.ts';
import { createLogger, type Logger, type LogLevel } from '../logging/logger.ts';
import { StartError } from './start-error.ts';

export interface Program<C extends object> {
  /** In the log. */
  name: string;
  /** The first line of `--help`. */
  about: string;
  config: new () => C;
  start(config: C, logger: Logger): Promise<void>;
}

/**
 * Runs a process of the product from the environment: `--help` prints its settings; a start that fails ends with 1, told in plain words
 * where an operator can mend it; an error that nobody took ends the process, since what was acknowledged is stored, and a process in an
 * unknown state is not to go on.
 */
export async function runProgram<C extends { LOG_LEVEL: LogLevel }>({ name, about, config, start }: Program<C>): Promise<void> {
  if (process.argv.includes('--help')) {
    console.log(`${about} Settings, from the environment:\n\n${describeConfig(config)}`);
    return;
  }
  endWithParent();
  try {
    const settings = loadConfig(config, process.env);
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

/** Of what an operator can mend the message alone. Never the whole error: clients hang connection strings on theirs. */
function inWords(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  if (error.name === 'MongoParseError') return `MONGODB_URL: ${error.message}`;
  const isMendable = error instanceof ConfigError || error instanceof StartError || MENDABLE.test(String(error));
  return isMendable ? error.message : error.stack;
}

/** The engine's words about its folder; ports that were free a moment ago. */
const MENDABLE = /data folder|EADDRINUSE|EADDRNOTAVAIL|EACCES/;

/** A process that was started with a channel to another goes with that one, however it ends, and leaves its ports to the next. */
function endWithParent(): void {
  if (process.channel) process.once('disconnect', () => process.exit(1));
}
