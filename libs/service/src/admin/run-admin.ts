import { parseArgs } from 'node:util';
import { currentRelease, releaseText } from '../release.ts';

/** A command of `svc admin`, which the image of each service has for its operators. */
export interface AdminCommand {
  /** The words that call it: `accounts create`. */
  name: string;
  about: string;
  /** What each option takes: `{ plan: 'PLAN' }` is `--plan PLAN`. */
  options: Record<string, string>;
  /** Resolves to what is printed, as JSON; undefined: nothing. */
  run(given: Record<string, string>): Promise<unknown>;
}

/** Runs the command that the arguments name, `svc admin accounts create --name …`, and prints its result. A failed one exits with 1. */
export async function runAdmin(commands: readonly AdminCommand[]): Promise<void> {
  try {
    const result = await admin(commands, process.argv.slice(2));
    if (result !== undefined) console.log(typeof result === 'string' ? result : JSON.stringify(result, null, 2));
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  }
}

/** The result of a command, the release for `--version`, or the list of all as text. Throws an error with a message for the operator. */
export async function admin(commands: readonly AdminCommand[], [program, ...words]: readonly string[]): Promise<unknown> {
  if (program === '--version') return releaseText(currentRelease());
  if (program !== 'admin' || words.length === 0 || words.includes('--help')) return help(commands);
  const command = commands.find(({ name }) => words.slice(0, name.split(' ').length).join(' ') === name);
  if (!command) throw new Error(`no such command: ${words.join(' ')}\n\n${help(commands)}`);
  const options = Object.fromEntries(Object.keys(command.options).map((option) => [option, { type: 'string' as const }]));
  const { values } = parseArgs({ args: words.slice(command.name.split(' ').length), options });
  return command.run(values as Record<string, string>);
}

const help = (commands: readonly AdminCommand[]): string =>
  commands.length === 0 ? 'This service has no commands.' : commands.map(usage).join('\n\n');

function usage({ name, about, options }: AdminCommand): string {
  const given = Object.entries(options).map(([option, takes]) => ` [--${option} ${takes}]`);
  return `svc admin ${name}${given.join('')}\n    ${about}`;
}
