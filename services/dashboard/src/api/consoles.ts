import { type Console, createConsole } from '@svc/client/console';
import { type Environment, useEnvironment } from './environment.ts';
import { pageHeaders } from './page-headers.ts';
import { send } from './send.ts';

const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
const consoleOf = (livemode: boolean): Console =>
  createConsole({ baseUrl: location.origin, livemode: () => livemode, headers: pageHeaders, wait, send });

/** A client for each environment: a request acts in that of the page which made it, whatever the address says by then. */
const consoles: Record<Environment, Console> = { test: consoleOf(false), live: consoleOf(true) };

/** For what is of no environment: session, members, keys, the account. */
export const general = consoles.test;

/** The client of the environment that is shown, and its name, which belongs into the key of a query. */
export function useConsole(): { console: Console; env: Environment } {
  const env = useEnvironment();
  return { console: consoles[env], env };
}

export type { Console };
