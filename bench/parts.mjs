// Processor time of a profile by part of the program, by the sources from which the bundle was made.
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { fileURLToPath } from 'node:url';
import { sleep } from './load.mjs';

/** The first that fits a function's `name path`. Functions of Node's own that are not JavaScript have no path. */
const PARTS = [
  ['garbage', /^\(garbage collector\)/],
  ['nothing', /^\((?:idle|root)\)|node:inspector/],
  ['syncs of the disk', /^fdatasync /],
  ['system calls of sockets', /^(?:writev?|writeBuffer|write\w+String|writeGeneric|shutdown|readStart|connect) (?:$|node:)/],
  ['signatures', /^(?:Hmac|init|createHmac|hash|_?update|_?digest|oneShotDigest) (?:$|node:)|node:internal\/crypto/],
  ['SQLite', /^(?:run|get|all|iterate|next|exec) $/],
  [
    'promises and timers',
    /^(?:runMicrotasks|processTicksAndRejections|\w*[pP]romise\w*) |node:internal\/(?:timers|process|async_hooks|promise)|node:timers/,
  ],
  ['undici', /undici/],
  ['Node: sockets and streams', /node:/],
  ['documents', /(?:document-store|embedded)\//],
  ['sending', /webhooks-dispatcher\/(?:src|dist)\/sending\//],
  ['deliveries', /webhooks-dispatcher\//],
  ['metrics', /prom-client/],
  ['traces', /opentelemetry|telemetry\/spans/],
  ['other code', / \S/],
];

/** Profiles the server, which was started with `profiler.mjs`, while `work` runs. Microseconds by part. */
export async function partsDuring(server, file, work) {
  const profile = await profiled(server, file, work);
  const sources = new Map();
  return sumsOf(profile, new Map(profile.nodes.map(({ id, callFrame }) => [id, partOf(callFrame, sources)])));
}

/**
 * The same by who asked for it: of `parts`, a list of names and patterns, the first that fits the source of the innermost function on
 * the stack that fits any.
 */
export async function microsByFolder(server, file, parts, work) {
  const profile = await profiled(server, file, work);
  const sources = new Map();
  const nodes = new Map(profile.nodes.map((node) => [node.id, node]));
  const found = new Map();
  const visit = ({ id, callFrame, children = [] }, above) => {
    const { functionName, url, lineNumber, columnNumber } = callFrame;
    const own = ['garbage', 'nothing', 'syncs of the disk'].includes(partOf(callFrame, sources)) ? partOf(callFrame, sources) : undefined;
    const source = sourceOf(url, lineNumber, columnNumber, sources);
    const part = own ?? parts.find(([, pattern]) => pattern.test(`${functionName} ${source}`))?.[0] ?? above;
    found.set(id, part);
    for (const child of children) visit(nodes.get(child), part);
  };
  visit(profile.nodes[0], 'Node');
  const { nothing: _, ...sums } = sumsOf(profile, found);
  return sums;
}

async function profiled(server, file, work) {
  process.kill(server.pid, 'SIGUSR2');
  await sleep(100);
  await work();
  process.kill(server.pid, 'SIGUSR2');
  for (let n = 0; n < 300 && !existsSync(file); n += 1) await sleep(100);
  await sleep(500); // It is written in one piece.
  const profile = JSON.parse(readFileSync(file, 'utf8'));
  rmSync(file);
  return profile;
}

function sumsOf({ samples, timeDeltas }, parts) {
  const sums = {};
  samples.forEach((id, n) => (sums[parts.get(id)] = (sums[parts.get(id)] ?? 0) + timeDeltas[n]));
  return sums;
}

function partOf({ functionName, url, lineNumber, columnNumber }, sources) {
  const of = `${functionName} ${sourceOf(url, lineNumber, columnNumber, sources)}`;
  return PARTS.find(([, pattern]) => pattern.test(of))?.[0] ?? 'engine (V8)';
}

function sourceOf(url, line, column, sources) {
  if (!url.startsWith('file:')) return url;
  const map = `${fileURLToPath(url)}.map`;
  if (!sources.has(map)) sources.set(map, existsSync(map) ? new SourceMap(JSON.parse(readFileSync(map, 'utf8'))) : undefined);
  return sources.get(map)?.findEntry(line, column)?.originalSource ?? url;
}
