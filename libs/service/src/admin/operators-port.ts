import { pipeline } from 'node:stream/promises';
import { secretOf } from '../config/secret-files.ts';

interface Refusal {
  message: string;
  /** By field. */
  details?: Record<string, string[]>;
}

/** A request that was refused. */
export class Refused extends Error {
  readonly #refusal: Refusal;

  constructor(refusal: Refusal) {
    super(textOf(refusal));
    this.#refusal = refusal;
  }

  /** The same, with these names of its fields. */
  named(nameOf: (field: string) => string): Refused {
    const { message, details = {} } = this.#refusal;
    return new Refused({ message, details: Object.fromEntries(Object.entries(details).map(([field, why]) => [nameOf(field), why])) });
  }
}

const textOf = ({ message, details = {} }: Refusal): string =>
  [message, ...Object.entries(details).map(([field, reasons]) => `${field}: ${reasons.join(' ')}`)].join('\n');

/**
 * Sends a request to the operators' port of the process in the same container, with the token that this process has. Throws an error with the
 * messages of a response that is not 2xx.
 */
export async function askOperatorsPort(token: Token, method: Method, path: string, body?: object): Promise<unknown> {
  const response = await send(token, method, path, body);
  if (!response.ok) throw await refused(response);
  return response.json();
}

/** Prints the response to a GET as it comes. Throws as `askOperatorsPort` does, and where the response breaks off. */
export async function printOperatorsPort(token: Token, path: string): Promise<void> {
  const response = await send(token, 'GET', path);
  if (!response.ok) throw await refused(response);
  await pipeline(response.body ?? [], process.stdout, { end: false });
}

type Token = 'ADMIN_TOKEN' | 'OPS_TOKEN';
type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';

async function send(token: Token, method: Method, path: string, body?: object): Promise<Response> {
  const { OPS_PORT = '3001' } = process.env;
  const value = secretOf(process.env, token) ?? '';
  return fetch(`http://127.0.0.1:${OPS_PORT}/admin${path}`, {
    method,
    headers: { authorization: `Bearer ${value}`, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  }).catch(() => {
    throw new Error(`The operators’ port ${OPS_PORT} of this container does not answer.`);
  });
}

const refused = async (response: Response): Promise<Refused> => new Refused(((await response.json()) as { error: Refusal }).error);

/** The options of a command as a body; those of `names` are JSON. Throws an error that names one that is not. */
export function withJson(given: Record<string, string>, ...names: string[]): Record<string, unknown> {
  const parsed = names.filter((name) => name in given).map((name) => [name, parse(name, given[name] as string)]);
  return { ...given, ...Object.fromEntries(parsed) };
}

function parse(name: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Error(`--${name} is ${text}; it must be JSON`);
  }
}
