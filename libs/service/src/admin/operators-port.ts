interface Refused {
  error: { message: string; details?: Record<string, string[]> };
}

/**
 * Sends a request to the operators' port of the process in the same container, with the token that this process has. Throws an error with the
 * messages of a response that is not 2xx.
 */
export async function askOperatorsPort(
  token: 'ADMIN_TOKEN' | 'OPS_TOKEN',
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
  path: string,
  body?: object,
): Promise<unknown> {
  const { OPS_PORT = '3001', [token]: value = '' } = process.env;
  const response = await fetch(`http://127.0.0.1:${OPS_PORT}/admin${path}`, {
    method,
    headers: { authorization: `Bearer ${value}`, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  }).catch(() => {
    throw new Error(`The operators’ port ${OPS_PORT} of this container does not answer.`);
  });
  const answer: unknown = await response.json();
  if (response.ok) return answer;
  const { message, details = {} } = (answer as Refused).error;
  throw new Error([message, ...Object.entries(details).map(([field, reasons]) => `${field}: ${reasons.join(' ')}`)].join('\n'));
}

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
