import { find, get, merge, render, renderExample, withSimulator } from '../testing/render.ts';

const chart = 'authority-simulator';

test('the simulator is one writer: one pod, which ends before its successor starts', () => {
  const { replicas, strategy } = get(render(chart), 'Deployment').spec;
  expect([replicas, strategy]).toEqual([1, { type: 'Recreate' }]);
});

test('its ledger is on a claim that stays when the release goes', () => {
  const manifests = render(chart);
  const claim = get(manifests, 'PersistentVolumeClaim');
  expect(claim).toMatchObject({
    metadata: { name: chart, annotations: { 'helm.sh/resource-policy': 'keep' } },
    spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
  });
  expect(claim.spec).not.toHaveProperty('storageClassName');
  const { volumes, containers } = get(manifests, 'Deployment').spec.template.spec;
  expect(volumes).toContainEqual({ name: 'ledger', persistentVolumeClaim: { claimName: chart } });
  expect(containers[0].volumeMounts).toContainEqual({ name: 'ledger', mountPath: '/app/data' });
  expect(get(manifests, 'ConfigMap').data['LEDGER_FILE']).toMatch(/^\/app\/data\//);
});

test.each([
  ['fast', 'fast'],
  ['-', ''],
])('the storage class %s makes the claim ask for "%s"', (storageClass, asked) => {
  expect(get(render(chart, { persistence: { storageClass } }), 'PersistentVolumeClaim').spec.storageClassName).toBe(asked);
});

test('a claim of the operator takes the place of the chart’s', () => {
  const manifests = render(chart, { persistence: { existingClaim: 'mine' } });
  expect(find(manifests, 'PersistentVolumeClaim')).toBeUndefined();
  const { volumes } = get(manifests, 'Deployment').spec.template.spec;
  expect(volumes).toContainEqual({ name: 'ledger', persistentVolumeClaim: { claimName: 'mine' } });
});

test('it is asked for health on the operators’ port, needs no Secret, no topic and no server', () => {
  const manifests = render(chart);
  const [{ ports, startupProbe, livenessProbe, readinessProbe, env }] = get(manifests, 'Deployment').spec.template.spec.containers;
  const named = { http: 3002, 'al-cis': 3003, 'es-verifactu': 3005, 'me-efi': 3004 };
  expect([ports, env]).toEqual([Object.entries(named).map(([name, containerPort]) => ({ name, containerPort })), undefined]);
  expect(get(manifests, 'Service').spec.ports).toMatchObject(
    Object.entries(named).map(([name, port]) => ({ name, port, targetPort: name })),
  );
  expect(get(manifests, 'NetworkPolicy').spec.ingress[0]?.ports).toEqual(Object.values(named).map((port) => ({ port })));
  for (const probe of [startupProbe, livenessProbe, readinessProbe]) expect(probe?.httpGet).toEqual({ path: '/healthz', port: 'http' });
  expect(manifests.map(({ kind }) => kind)).not.toContain('Job');
});

test('it is off by default; where it goes with the release the services have its address, and where it does not they have what is set', () => {
  const urlOf = (service: string, values: object) =>
    get(renderExample('minimal', { ...values }), 'ConfigMap', service).data['SIMULATOR_URL'];
  expect(renderExample('minimal').filter(({ metadata }) => metadata.name === chart)).toEqual([]);
  for (const service of ['fiscal-submission', 'invoicing']) {
    expect(urlOf(service, {})).toBe('none');
    expect(urlOf(service, withSimulator)).toBe('http://authority-simulator:3002');
  }
});

test('its national authorities are those of test documents where it goes with the release, and none else; what is set goes before them', () => {
  const urlsOf = (service: string, values = {}) => {
    const { data } = get(renderExample('minimal', values), 'ConfigMap', service);
    return ['AL_CIS', 'ME_EFI', 'ES_VERIFACTU'].map((name) => data[`${name}_TEST_URL`]);
  };
  const set = merge(withSimulator, { global: { settings: { meEfiTestUrl: 'https://efi.example.com' } } });
  for (const service of ['fiscal-submission', 'invoicing']) {
    expect(urlsOf(service)).toEqual([undefined, undefined, undefined]);
    expect(urlsOf(service, withSimulator)).toEqual([3003, 3004, 3005].map((port) => `https://authority-simulator:${port}`));
    expect(urlsOf(service, set)[1]).toBe('https://efi.example.com');
  }
  expect(urlsOf('gateway', withSimulator)).toEqual([undefined, undefined, undefined]);
});

test('the policy of fiscal-submission lets out to no simulator where there is none', () => {
  const policy = get(renderExample('minimal'), 'NetworkPolicy', 'fiscal-submission');
  expect(JSON.stringify(policy.spec.egress)).not.toContain('authority-simulator');
});
