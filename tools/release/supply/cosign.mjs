// cosign signs and attests with a key in a file, without a log of transparency. COSIGN names another program in its place.
import { spawnSync } from 'node:child_process';
import { goProgram, isGoProgramBuilt } from '../../../helm/tools/go-program.mjs';

const COSIGN = {
  name: 'cosign',
  path: 'github.com/sigstore/cosign/v2/cmd/cosign',
  version: 'v2.6.5',
  takes: 'three to ten minutes',
  instead: 'name a cosign 2 program by COSIGN',
};

export const cosignProgram = () => process.env.COSIGN || goProgram(COSIGN);

/** Whether it is there without minutes of a build. */
export const isCosignBuilt = () => Boolean(process.env.COSIGN) || isGoProgramBuilt(COSIGN);

export const WITHOUT_LOG = '--insecure-ignore-tlog=true';

/**
 * @param {{ key: string, publicKey: string, isPlain: boolean }} options `isPlain`: the registry has no TLS
 */
export function openCosign({ key, publicKey, isPlain }) {
  const program = cosignProgram();
  const plain = isPlain ? ['--allow-http-registry'] : [];
  const call = (args) => spawnSync(program, args, { encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 });
  function run(command, ...args) {
    const { status, stdout, stderr } = call([command, ...plain, ...args]);
    if (status !== 0) throw new Error(`cosign ${command} ${args.at(-1)}: ${stderr.trim().split('\n').at(-1)}`);
    return stdout.trim();
  }
  const isSigned = (name) => call(['verify', ...plain, '--key', publicKey, WITHOUT_LOG, name]).status === 0;
  const isAttested = (name, type) =>
    call(['verify-attestation', ...plain, '--key', publicKey, WITHOUT_LOG, '--type', type, name]).status === 0;
  const signing = ['--key', key, '--tlog-upload=false', '--yes'];
  return {
    /** The digest that a tag has; undefined: the registry does not have it. */
    digestOf(name) {
      const { status, stdout, stderr } = call(['triangulate', ...plain, name]);
      if (status === 0) return stdout.trim().replace(/^.*:sha256-([0-9a-f]{64})\.sig$/s, 'sha256:$1');
      if (/NOT_FOUND|MANIFEST_UNKNOWN|NAME_UNKNOWN|404/.test(stderr)) return undefined;
      throw new Error(`${name} cannot be asked for: ${stderr.trim().split('\n').at(-1)}`);
    },
    push: (folder, name) => run('load', '--dir', folder, name),
    /** Whether nothing is left to do for it with this key. */
    isDone: (name, types) => isSigned(name) && types.every((type) => isAttested(name, type)),
    /** With the images of an index. Does nothing where it is signed with this key already. */
    sign(name) {
      if (!isSigned(name)) run('sign', ...signing, '--recursive', name);
    },
    /** `type`: as cosign has it. Does nothing where one of this type is attested with this key already. */
    attest(name, type, file) {
      if (!isAttested(name, type)) run('attest', ...signing, '--type', type, '--predicate', file, name);
    },
  };
}

/** Writes the public key of a pair: what others verify with. Throws where the password, in COSIGN_PASSWORD, is another one. */
export function writePublicKey(/** @type {string} */ key, /** @type {string} */ into) {
  const { status, stderr } = spawnSync(cosignProgram(), ['public-key', '--key', key, '--outfile', into], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`${key} cannot be read (is COSIGN_PASSWORD its password?): ${stderr.trim().split('\n').at(-1)}`);
}
