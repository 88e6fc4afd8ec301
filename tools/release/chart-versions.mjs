// How `nx release` writes versions into a Chart.yaml: the chart's own; as appVersion that of its service; and those of the charts that it depends on.
import { join } from 'node:path';
import nx from 'nx/release';
import { parseDocument } from 'yaml';
import { nextVersion } from './next-version.mjs';

const MANIFEST = 'Chart.yaml';

export default class ChartVersions extends nx.VersionActions {
  validManifestFilenames = [MANIFEST];
  excludeManifestsFromFormatting = true;

  async calculateNewVersion(version, ...input) {
    return nextVersion(this.projectGraphNode.name, version, () => super.calculateNewVersion(version, ...input));
  }

  async readCurrentVersionFromSourceManifest(tree) {
    return { currentVersion: this.#read(tree).get('version'), manifestPath: this.#path };
  }

  async readCurrentVersionFromRegistry() {
    throw new Error('the current version of a chart is in its Chart.yaml');
  }

  /** Its service, or its charts: all stand in its project.json, as implicit ones, since no source imports them. */
  async readDependencies(_tree, graph) {
    return graph.dependencies[this.projectGraphNode.name] ?? [];
  }

  async readCurrentVersionOfDependency(tree, graph, name) {
    return { currentVersion: this.#read(tree).getIn(this.#place(tree, graph, name)) ?? null, dependencyCollection: 'dependencies' };
  }

  async updateProjectVersion(tree, version) {
    this.#change(tree, (chart) => {
      // The umbrella has no program of its own.
      if (this.#charts(chart).length > 1) chart.set('appVersion', version);
      chart.set('version', version);
    });
    return [`new version ${version} in ${this.#path}`];
  }

  async updateProjectDependencies(tree, graph, versions) {
    for (const [name, version] of Object.entries(versions)) {
      const place = this.#place(tree, graph, name);
      this.#change(tree, (chart) => chart.setIn(place, version));
    }
    return Object.entries(versions).map(([name, version]) => `${name} ${version} in ${this.#path}`);
  }

  /** Where the version of a project that this one depends on stands. */
  #place(tree, graph, name) {
    const { root } = graph.nodes[name].data;
    if (!root.startsWith('helm/')) return ['appVersion'];
    const index = this.#charts(this.#read(tree)).findIndex(
      ({ repository }) => join(this.#root, repository.replace('file://', '')) === root,
    );
    if (index < 0) throw new Error(`${this.#path} has no dependency on ${root}, which project.json names`);
    return ['dependencies', index, 'version'];
  }

  #charts = (chart) => chart.toJS().dependencies ?? [];

  get #root() {
    return this.projectGraphNode.data.root;
  }

  get #path() {
    return join(this.#root, MANIFEST);
  }

  #read(tree) {
    return parseDocument(tree.read(this.#path, 'utf-8'));
  }

  #change(tree, edit) {
    const chart = this.#read(tree);
    edit(chart);
    tree.write(this.#path, chart.toString({ lineWidth: 0 }));
  }
}
