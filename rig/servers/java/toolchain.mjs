// Java 17 and Maven: found, installed where possible, or required of the user.
import { spawnSync } from 'node:child_process';
import { run } from '../process/run.mjs';
import { ServersError } from '../process/servers-error.mjs';

const OLDEST_JAVA = 17;
const PACKAGES = ['openjdk-17-jdk-headless', 'maven'];

/** @typedef {'java' | 'javac' | 'mvn'} Tool */

/** Why a tool cannot be used, or null. @param {Tool} tool */
function problemWith(tool) {
  const { status, stdout, stderr } = spawnSync(tool, ['-version'], { encoding: 'utf8' });
  if (status !== 0) return `${tool} is not installed`;
  if (tool === 'mvn') return null;
  // "openjdk version "17.0.15"", "javac 17.0.15", and "1.8.0" for the eighth.
  const major = Number(/\b(?:1\.)?(\d+)[.\d]*/.exec(`${stdout}${stderr}`)?.[1]);
  return major >= OLDEST_JAVA ? null : `${tool} is version ${major}, ${OLDEST_JAVA} is the oldest that serves`;
}

const problemsWith = (tools) => tools.map(problemWith).filter(Boolean);

/**
 * Makes sure of the tools. Root on a system with apt-get (a container, a CI machine) gets them installed.
 *
 * @param {Tool[]} tools
 * @param {(text: string) => void} log
 */
export function requireTools(tools, log) {
  const missing = problemsWith(tools);
  if (missing.length === 0) return;
  if (process.getuid?.() === 0 && spawnSync('apt-get', ['--version']).status === 0) {
    log(`${missing.join('; ')}: installing ${PACKAGES.join(' and ')} by apt-get …`);
    aptGet('update');
    aptGet('install', '--yes', '--no-install-recommends', ...PACKAGES);
  }
  const problems = problemsWith(tools);
  if (problems.length > 0)
    throw new ServersError(
      `${problems.join('; ')}. Kafka and the MongoDB emulator need Java ${OLDEST_JAVA} and Maven.\n` +
        `Debian, Ubuntu: apt-get install ${PACKAGES.join(' ')}. Anywhere else: docker compose up brings the real images.`,
    );
}

const aptGet = (...args) => run('apt-get', args, { env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } });
