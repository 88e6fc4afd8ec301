import { parseArgs } from 'node:util';
import { nearestName } from '@svc/contracts/schema/nearest-name';
import { currentRelease, releaseText } from '../release.ts';
import { Refused } from './operators-port.ts';

/** A command of `svc admin`, which the image of each service has for its operators. */
export interface AdminCommand {
  /** The words that call it: `accounts create`. */
  name: string;
  about: string;
  /** What each option takes: `{ plan: 'PLAN' }` is `--plan PLAN`. */
  options: Record<string, string>;
  /** Those that have to be given. */
  needed?: readonly string[];
  /** The values of those that are not given. */
  defaults?: Readonly<Record<string, string>>;
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

/** The result of a command, the release for `--version`, or as text what a command takes (`--help`), or the list of all. Throws an error with a message for the operator. */
export async function admin(commands: readonly AdminCommand[], [program, ...words]: readonly string[]): Promise<unknown> {
  if (program === '--version') return releaseText(currentRelease());
  const command = commands.find(({ name }) => words.slice(0, name.split(' ').length).join(' ') === name);
  if (program !== 'admin' || words.length === 0 || (!command && words.includes('--help'))) return help(commands);
  if (!command) throw unknown(commands, words);
  if (words.includes('--help')) return usage(command);
  const options = Object.fromEntries(Object.keys(command.options).map((option) => [option, { type: 'string' as const }]));
  const { values } = parseArgs({ args: words.slice(command.name.split(' ').length), options });
  const given = { ...command.defaults, ...(values as Record<string, string>) };
  const missing = (command.needed ?? []).filter((option) => !given[option]).map((option) => `--${option}`);
  if (missing.length > 0) throw new Error(`${missing.join(', ')} ${missing.length > 1 ? 'are' : 'is'} missing.\n\n${usage(command)}`);
  try {
    return await command.run(given);
  } catch (error) {
    throw error instanceof Refused ? error.named((field) => optionOf(command, field)) : error;
  }
}

/** The option that gives a field. */
function optionOf({ options }: AdminCommand, field: string): string {
  const option = field.replaceAll('_', '-');
  return option in options ? `--${option}` : field;
}

function unknown(commands: readonly AdminCommand[], words: readonly string[]): Error {
  const end = words.findIndex((word) => word.startsWith('--'));
  const called = words.slice(0, end < 0 ? undefined : end).join(' ');
  const names = new Map(commands.map(({ name }) => [name.replaceAll(/[ -]/g, '_'), name]));
  const nearest = names.get(nearestName(called, [...names.keys()]) ?? '');
  return new Error(`no such command: ${called}${nearest === undefined ? `\n\n${help(commands)}` : `. Did you mean svc admin ${nearest}?`}`);
}

const help = (commands: readonly AdminCommand[]): string =>
  commands.length === 0 ? 'This service has no commands.' : commands.map(usage).join('\n\n');

function usage({ name, about, options, needed = [], defaults = {} }: AdminCommand): string {
  const given = Object.entries(options).map(([option, takes]) => {
    if (needed.includes(option)) return ` --${option} ${takes}`;
    return ` [--${option} ${takes}${option in defaults ? `, by default ${defaults[option]}` : ''}]`;
  });
  return `svc admin ${name}${given.join('')}\n    ${about}`;
}
