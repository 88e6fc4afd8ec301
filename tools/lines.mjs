// Formats the output of several processes and of their starter: readable lines on a terminal, otherwise one JSON object per line.

/**
 * @param {{ width: number, readable: (line: string) => string }} how `width` of the longest name
 * @returns {(stream: NodeJS.WriteStream, name: string, line: string) => void}
 */
export const showLines =
  ({ width, readable }) =>
  (stream, name, line) => {
    if (stream.isTTY) stream.write(`${name.padEnd(width)} | ${readable(line).trimEnd()}\n`);
    else if (isObject(line)) stream.write(`{"process":${JSON.stringify(name)},${line.slice(1)}\n`);
    else stream.write(`${record({ process: name }, line)}\n`);
  };

/** Writes a line of this process to standard error. */
export const say = (text) => console.error(process.stderr.isTTY ? text : record({ service: 'start-services' }, text));

const WARN = 40;
const record = (about, msg) => JSON.stringify({ level: WARN, time: new Date().toISOString(), ...about, msg });

function isObject(line) {
  if (!line.startsWith('{"')) return false;
  try {
    JSON.parse(line);
    return true;
  } catch {
    return false;
  }
}
