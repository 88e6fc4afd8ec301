import { find, get, render } from '../testing/render.ts';

const edge = {
  hosts: [{ host: 'api.example.com', kind: 'live' }, { host: 'sandbox.example.com' }],
  trustedProxies: ['10.244.0.0/16'],
};
const ingress = { ...edge, enabled: true, className: 'nginx', annotations: { issuer: 'x' }, tls: { existingSecret: 'certificate' } };

test('by default nothing outside the cluster leads to the gateway', () => {
  const manifests = render('gateway');
  expect([find(manifests, 'Ingress'), find(manifests, 'HTTPRoute')]).toEqual([undefined, undefined]);
});

test('the Ingress serves the hosts by TLS only, with the certificate of the operator, and leads to the port of requests', () => {
  const { metadata, spec } = get(render('gateway', { ingress }), 'Ingress');
  expect([metadata.annotations, spec.ingressClassName]).toEqual([{ issuer: 'x' }, 'nginx']);
  expect(spec.tls).toEqual([{ secretName: 'certificate', hosts: ['api.example.com', 'sandbox.example.com'] }]);
  expect(spec.rules.map(({ host }) => host)).toEqual(['api.example.com', 'sandbox.example.com']);
  for (const { http } of spec.rules)
    expect(http.paths).toMatchObject([{ path: '/', backend: { service: { name: 'gateway', port: { name: 'http' } } } }]);
});

test('the HTTPRoute serves the hosts on the listeners that are named', () => {
  const parentRefs = [{ name: 'public', namespace: 'gateways', sectionName: 'https' }];
  const { spec } = get(render('gateway', { ingress: edge, httpRoute: { enabled: true, parentRefs } }), 'HTTPRoute');
  expect(spec).toMatchObject({ parentRefs, hostnames: ['api.example.com', 'sandbox.example.com'] });
  expect(spec.rules).toEqual([{ backendRefs: [{ name: 'gateway', port: 3000 }] }]);
});

test('where the controller can, reads and creations with a key are repeated, and nothing else', () => {
  const parentRefs = [{ name: 'public', namespace: 'gateways', sectionName: 'https' }];
  const { spec } = get(render('gateway', { ingress: edge, httpRoute: { enabled: true, parentRefs, retry: { attempts: 3 } } }), 'HTTPRoute');
  const backendRefs = [{ name: 'gateway', port: 3000 }];
  const withKey = { method: 'POST', headers: [{ type: 'RegularExpression', name: 'Idempotency-Key', value: '.+' }] };
  expect(spec.rules).toEqual([
    {
      matches: [{ method: 'GET' }, { method: 'HEAD' }, withKey],
      retry: { codes: [502, 503, 504], attempts: 3, backoff: '100ms' },
      backendRefs,
    },
    { backendRefs },
  ]);
});
