import { spawn } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Manifest, PodSpec } from '../testing/manifests.ts';
import { render, type Values } from '../testing/render.ts';

const podOf = (values?: Values): PodSpec =>
  (render('gateway', values).find(({ kind }) => kind === 'Pod') as Manifest & { spec: PodSpec }).spec;

/** Runs the pod's own command against a gateway that answers so. */
async function check(answers: Record<string, [number, object]>, env: Record<string, string>): Promise<{ code: number; output: string }> {
  const { command = [], args = [] } = podOf().containers[0];
  const server = createServer((request, response) => {
    const [status, body] = answers[`${request.method} ${request.url}`] ?? [404, {}];
    response.writeHead(status).end(JSON.stringify(body));
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const child = spawn(process.execPath, [...command.slice(1), ...args], { env: { GATEWAY: url, ...env } });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text: Buffer) => (output += text.toString()));
  const code = await new Promise<number>((ended) => child.once('exit', (status) => ended(status ?? -1)));
  server.close();
  return { code, output };
}

const open: Record<string, [number, object]> = { 'GET /openapi.json': [200, {}], 'GET /v1/invoices': [401, {}] };
const withKey: Record<string, [number, object]> = {
  ...{ 'GET /openapi.json': [200, {}], 'GET /v1/invoices': [200, {}], 'GET /v1/webhooks': [200, {}] },
  ...{ 'GET /v1/fiscal-credentials': [200, {}], 'GET /v1/reports': [200, {}] },
  ...{ 'POST /v1/customers': [201, { id: 'cust_1' }], 'POST /v1/invoices': [201, { id: 'inv_1' }] },
  'POST /v1/invoices/inv_1/submit': [200, { number: 'INV-1', fiscal: { status: 'registered', code: 'F-1' } }],
};
const pending: [number, object] = [200, { fiscal: { status: 'pending', code: null } }];

test('helm test asks for what needs no key, and with one has a document registered', async () => {
  expect(await check(open, {})).toMatchObject({ code: 0 });
  expect(await check(withKey, { API_KEY: 'svc_test_x' })).toMatchObject({
    code: 0,
    output: expect.stringContaining('INV-1 has the fiscal code F-1'),
  });
});

test('helm test fails where a service does not answer, or no code arrives, and says which', async () => {
  const away = { ...withKey, 'GET /v1/reports': [503, { error: 'away' }] as [number, object] };
  expect(await check(away, { API_KEY: 'svc_test_x' })).toMatchObject({
    code: 1,
    output: expect.stringContaining('GET /v1/reports was answered 503'),
  });
  const never = { ...withKey, 'POST /v1/invoices/inv_1/submit': pending };
  expect(await check(never, { API_KEY: 'svc_test_x' })).toMatchObject({
    code: 1,
    output: expect.stringContaining('inv_1 has no fiscal code after 20 s'),
  });
});

test('helm test sends nothing with a key that is no test key', async () => {
  expect(await check(withKey, { API_KEY: 'svc_live_x' })).toEqual({ code: 1, output: expect.stringMatching(/^The key is no test key/) });
});

test('its pod is a hook of helm test, has the key from the Secret that is named, and is let in to the gateway', () => {
  const manifests = render('gateway', { test: { existingSecret: 'key' }, networkPolicy: { clients: [{ namespaceSelector: {} }] } });
  expect(manifests.find(({ kind }) => kind === 'Pod')?.metadata.annotations).toMatchObject({ 'helm.sh/hook': 'test' });
  expect(podOf({ test: { existingSecret: 'key' } }).containers[0].env).toContainEqual({
    name: 'API_KEY',
    valueFrom: { secretKeyRef: { name: 'key', key: 'API_KEY' } },
  });
  const policy = manifests.find(({ kind, metadata }) => kind === 'NetworkPolicy' && metadata.name === 'gateway');
  expect(JSON.stringify(policy)).toContain('"app.kubernetes.io/component":"test"');
});
