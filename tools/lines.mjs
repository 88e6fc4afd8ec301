// How the start of several processes shows what they say, and what it says itself: lines to read at a terminal, else one JSON object a line.

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

/** Of this process itself, on standard error. */
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
