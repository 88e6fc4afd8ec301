// kubectl and helm in one namespace of the cluster.
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

const start = promisify(execFile);
const MOST_OUTPUT = 64 << 20;

/**
 * @param {{ KUBECONFIG: string, PROGRAMS: string }} cluster as `npm run cluster -- start` prints it
 * @param {string} namespace
 */
export function programsIn({ KUBECONFIG, PROGRAMS }, namespace) {
  const program = (name) => async (args, input) => {
    const env = { ...process.env, KUBECONFIG };
    const running = start(join(PROGRAMS, name), ['--namespace', namespace, ...args], { env, maxBuffer: MOST_OUTPUT });
    running.child.stdin.end(input);
    const { stdout } = await running.catch((error) => {
      throw new Error(`${name} ${args.join(' ')}: ${error.stderr || error.message}`);
    });
    return stdout.trim();
  };
  const [kubectl, helm] = [program('kubectl'), program('helm')];

  return {
    namespace,
    kubectl: (...args) => kubectl(args),
    helm: (...args) => helm(args),
    /** Applies objects. */
    apply: (...items) => kubectl(['apply', '--filename=-'], JSON.stringify({ apiVersion: 'v1', kind: 'List', items })),
    /** Sends an object to a path of the API. */
    create: (path, object) => kubectl(['create', '--raw', path, '--filename=-'], JSON.stringify(object)),
    get: async (...args) => JSON.parse(await kubectl(['get', '--output=json', ...args])),
  };
}

/** @typedef {ReturnType<typeof programsIn>} Programs */
