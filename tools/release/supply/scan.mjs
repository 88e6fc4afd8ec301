// Known faults of what is in an image. SCANNER names a program that gets the file of an SBOM and fails where it has found some; without it Trivy or Grype, where
// one of them is installed, and otherwise npm's own list, which knows nothing of the base image.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

const KNOWN = {
  trivy: (sbom) => ['sbom', '--exit-code', '1', '--severity', 'HIGH,CRITICAL', '--ignore-unfixed', sbom],
  grype: (sbom) => [`sbom:${sbom}`, '--fail-on', 'high', '--only-fixed'],
};

const isInstalled = (program) => (process.env.PATH ?? '').split(':').some((folder) => existsSync(join(folder, program)));

/**
 * Throws on what it finds, or where nothing can look.
 * @param {string} sbom a file
 * @param {{ sources: string, service: string }} of `sources`: the checkout that the image is built from
 * @returns {string} by what
 */
export function scan(sbom, { sources, service }) {
  const program = process.env.SCANNER || Object.keys(KNOWN).find(isInstalled);
  const args = program
    ? (KNOWN[program]?.(sbom) ?? [sbom])
    : ['audit', '--omit=dev', '--audit-level=high', '--workspace', `services/${service}`];
  const { status, stdout, stderr, error } = spawnSync(program ?? 'npm', args, { cwd: sources, encoding: 'utf8' });
  if (status === 0) return program ?? 'npm audit (nothing has looked at the base image: install Trivy or Grype)';
  const said = `${stdout ?? ''}${stderr ?? ''}${error?.message ?? ''}`.trim().split('\n').slice(-20).join('\n');
  throw new Error(`${service} is not published: ${program ?? 'npm audit'} has found faults, or could not look for them:\n${said}`);
}
