import { parse } from 'yaml';
import { allCharts, productCharts } from '../testing/services.ts';
import { chartFolder, example, helm, merge, required, withSimulator, type Values } from '../testing/render.ts';

/** The notes that an install shows. */
function notes(chart: string, values: Values): string {
  const { status, stdout, stderr } = helm(
    ['install', 'system', chartFolder(chart), '--namespace', 'billing', '--dry-run=client'],
    values,
    '-o',
    'json',
  );
  if (status !== 0) throw new Error(stderr);
  return (parse(stdout) as { info: { notes: string } }).info.notes;
}
const ofChart = (chart: string, values: Values = {}): string => notes(chart, merge(required(chart), values));
const ofExample = (name: string, values: Values = {}): string =>
  notes('invoicing-platform', merge(merge(example('minimal'), example(name)), values));

test('the notes of the system lead from an account to a fiscal code, without showing a key', () => {
  const text = ofExample('minimal');
  expect(text).toContain('kubectl -n billing exec deploy/gateway -- svc admin accounts create --name Demo --plan professional');
  expect(text).toContain('kubectl -n billing port-forward service/gateway 3000');
  expect(text.match(/curl -s/g)).toHaveLength(3);
  expect(text.indexOf('/customers')).toBeLessThan(text.indexOf('/submit'));
  expect(text).toContain('https://api.example.com');
});

test('the notes say which servers the policies cannot name, and what of the release stays', () => {
  expect(ofExample('minimal')).toContain('allow any address on the ports of kafka, mongodb, eventStore');
  expect(ofExample('minimal', withSimulator)).toContain('persistentvolumeclaim/authority-simulator stays after uninstall');
  expect(ofExample('servers-by-network')).not.toContain('any address');
  expect(ofExample('production')).not.toContain('claim');
  expect(ofExample('strimzi')).toContain('The KafkaTopic objects stay after uninstall');
});

test('the notes warn of development settings and of missing policies', () => {
  expect(ofExample('development')).toMatch(/WARNING: development settings of webhooks-dispatcher apply/);
  expect(ofExample('without-policies')).toMatch(/WARNING: invoicing has no network policy/);
  expect(ofExample('development')).toMatch(/WARNING: invoicing may have one pod, and so no disruption budget/);
  expect(ofExample('minimal')).not.toContain('WARNING');
});

test('the notes say what answers test documents where it is nothing, what is passed on unjudged, and which service is of another release', () => {
  expect(ofExample('minimal')).toContain('simulatorUrl is none): to submit one is refused with 422, before it has a number');
  expect(ofExample('minimal', withSimulator)).not.toContain('simulatorUrl is none');
  expect(ofExample('extra-objects')).toMatch(/Objects of yours, which invoicing-platform passes on as they are:\n {2}ConfigMap\/team/);
  expect(ofExample('minimal', { reporting: { enabled: false } })).toContain('reporting.enabled is false: the gateway looks for one');
});

test.each(productCharts)('the notes of %s alone say how to see it and how to administer it', (chart) => {
  const text = ofChart(chart);
  expect(text).toContain(`kubectl -n billing rollout status deploy/${chart}`);
  expect(text).toContain(`kubectl -n billing exec deploy/${chart} -- svc admin`);
  expect(text.includes('svc admin accounts create')).toBe(chart === 'gateway');
  expect(ofChart(chart, { networkPolicy: { enabled: false } })).toContain(`WARNING: ${chart} has no network policy`);
});

test('the simulator alone says that it is for sandbox systems, and what of it stays', () => {
  expect(ofChart('authority-simulator')).toMatch(
    /no legal effect[\s\S]*kubectl -n billing delete persistentvolumeclaim authority-simulator/,
  );
  expect(ofChart('authority-simulator', { persistence: { existingClaim: 'mine' } })).not.toContain('delete persistentvolumeclaim');
});

test.each(allCharts)('%s has notes under another name too', (chart) => {
  const text = ofChart(chart, { fullnameOverride: 'other' });
  expect(text).not.toMatch(new RegExp(`deploy/${chart}\\b`));
});
