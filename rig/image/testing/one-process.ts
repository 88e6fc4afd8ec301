import { setTimeout as sleep } from 'node:timers/promises';
import { freePorts } from '../../servers/process/ports.mjs';
import { built, launch, run } from './images.ts';

const LONG = 300_000;
const READY_MS = 60_000;

/** Of the image with nothing but its own bundle: each part that the program loads from a file is asked for. */
export function testOneProcessImage(): void {
  test(
    'the one process serves from a new volume, with the pages of the dashboard and PDFs, verifies a backup, and ends by SIGTERM',
    async () => {
      const [PORT, OPS_PORT, SIMULATOR_PORT] = (await freePorts(3)).map(String) as [string, string, string];
      const image = built('standalone');
      const origin = `http://127.0.0.1:${PORT}`;
      const env = {
        ...{ PORT, OPS_PORT, SIMULATOR_PORT, HOST: '127.0.0.1', PUBLIC_URL: origin },
        ...{ LOG_LEVEL: 'fatal', SETUP_FILE: '/app/data/setup.json' },
      };
      const child = launch(image, image.entrypoint, env);
      try {
        const ended = new Promise((resolve) => child.once('exit', resolve));
        const isHealthy = (): boolean => run(image, image.healthcheck, env).status === 0;
        for (const end = Date.now() + READY_MS; Date.now() < end && !isHealthy();) await sleep(200);
        expect(isHealthy()).toBe(true);
        const { test_key } = JSON.parse(run(image, ['cat', '/app/data/setup.json']).stdout) as { test_key: string };
        const headers = { authorization: `Bearer ${test_key}`, 'content-type': 'application/json' };
        const call = (path: string, body?: object): Promise<Response> =>
          fetch(origin + path, { headers, ...(body && { method: 'POST', body: JSON.stringify(body) }) });
        const idOf = async (path: string, body: object): Promise<string> => ((await (await call(path, body)).json()) as { id: string }).id;
        const customer_id = await idOf('/v1/customers', { name: 'Customer' });
        const invoice = await idOf('/v1/invoices', { customer_id, items: [{ description: 'x', unit_price: 100 }] });
        expect((await call(`/v1/invoices/${invoice}/submit`, {})).status).toBeLessThan(300);
        const { url } = (await (await call(`/v1/invoices/${invoice}/pdf`)).json()) as { url: string };
        const pdf = await fetch(url);
        expect([pdf.status, (await pdf.text()).slice(0, 5)]).toEqual([200, '%PDF-']);
        expect(await (await call('/')).text()).toContain('<div id="root"');
        expect(run(image, ['svc', 'admin', 'backup', '--to', '/tmp/svc-copy'], env)).toMatchObject({ status: 0 });
        expect(run(image, ['svc', 'admin', 'verify', '--folder', '/tmp/svc-copy'], env)).toMatchObject({ status: 0 });
        child.kill('SIGTERM');
        expect(await ended).toBe(0);
      } finally {
        child.kill('SIGKILL');
      }
    },
    LONG,
  );
}
