const NAMES: Record<number, string> = { 10: 'TRACE', 20: 'DEBUG', 30: 'INFO', 40: 'WARN', 50: 'ERROR', 60: 'FATAL' };
/** Values that are shown unquoted. Others are quoted, so that no control character of a caller reaches the terminal. */
const PLAIN = /^[\w.:/@{}+-]+$/;

interface Line {
  time?: string;
  level?: number;
  service?: string;
  msg?: string;
  err?: { stack?: string };
}

/**
 * A log line for a terminal: `12:03:04.567 WARN  gateway  request failed  status=503 …`, with an error's stack below it. A line that is not a
 * JSON object is returned unchanged.
 */
export function readable(line: string): string {
  const record = parsed(line);
  if (record === undefined) return line;
  const { time = '', level = 0, service = '', msg = '', err, ...rest } = record;
  const { pid: _pid, hostname: _hostname, ...facts } = rest as Record<string, unknown>;
  const words = Object.entries(facts).map(([name, value]) => `${name}=${shown(value)}`);
  const head = [time.slice(11, 23), (NAMES[level] ?? String(level)).padEnd(5), service, text(msg), ...words].join(' ').trimEnd();
  return err?.stack ? `${head}\n${text(err.stack).replaceAll(/^/gm, '    ')}\n` : `${head}\n`;
}

function parsed(line: string): Line | undefined {
  if (!line.startsWith('{')) return undefined;
  try {
    return JSON.parse(line) as Line;
  } catch {
    return undefined;
  }
}

const shown = (value: unknown): string => (PLAIN.test(String(value)) ? String(value) : text(JSON.stringify(value) ?? ''));

/** Replaces control characters except line feeds. */
const text = (value: string): string => value.replaceAll(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/g, '?');
