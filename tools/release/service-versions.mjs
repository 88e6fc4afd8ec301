// How `nx release` writes the version of a service: into its package.json, and into the lock file, which repeats it.
import actions from '@nx/js/src/release/version-actions';
import { nextVersion } from './next-version.mjs';

const LOCK = 'package-lock.json';

export default class ServiceVersions extends actions.default {
  async calculateNewVersion(version, ...input) {
    return nextVersion(this.projectGraphNode.name, version, () => super.calculateNewVersion(version, ...input));
  }

  /** None: a service uses libraries, which are not released, and other services in tests alone. plan.mjs knows whom the change of a library concerns. */
  async readDependencies() {
    return [];
  }

  async updateProjectVersion(tree, version) {
    const lock = JSON.parse(tree.read(LOCK, 'utf-8'));
    lock.packages[this.projectGraphNode.data.root].version = version;
    tree.write(LOCK, `${JSON.stringify(lock, null, 2)}\n`);
    return super.updateProjectVersion(tree, version);
  }
}
