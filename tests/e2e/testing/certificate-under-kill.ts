import { readFileSync } from 'node:fs';
import { eventually, startAs, type Call, type Kind, type System } from '@svc/testkit';
import { openAccount } from './accounts.ts';
import { NUMBERING, openCertificateFiles, type Certificate } from './certificate.ts';
import { forgetPostings } from './forget-postings.ts';
import { OPS_TOKEN } from './shared/shared-system.ts';

const BATCH = 100;
/** After these shares of the numbers the process is killed. */
const KILLS = [0.2, 0.5, 0.8];
const CUSTOMERS = 10;
const LONGEST_MS = 40 * 60_000;
/** What a file may add to the memory of the process. */
const MOST_MIB = 64;
const secondsSince = (began: number): number => Math.round((performance.now() - began) / 1000);

type Take = () => Promise<number>;
const item = { description: 'Coffee', unit_price: 2.5, tax_rate: 10 };

/** Defines the test of a certificate of so many numbers of three series, taken while the system was killed. */
export function testCertificateUnderKill(kind: Kind, numbers: number): void {
  const files = openCertificateFiles();
  let system: System;
  let call: Call;
  const customers: string[] = [];
  beforeAll(async () => {
    // Services log their ports.
    system = await startAs(kind, { OPS_TOKEN, ...(kind === 'services' && { LOG_LEVEL: 'info' }) });
  });
  afterAll(async () => {
    await system?.stop();
    files.remove();
  });

  /** Invoices of a series in one batch; returns how many have a number for certain. */
  const invoicesOf =
    (series: string): Take =>
    async () => {
      const requests = Array.from({ length: BATCH }, (_, n) => {
        return { customer_id: customers[n % CUSTOMERS], currency: 'EUR', series, items: [item] };
      });
      const { body } = await call<{ data: { resource: { id: string } }[] }>('POST', '/invoices/batch', { body: { requests } });
      const ids = body.data.map(({ resource }) => resource.id);
      return (await call<{ succeeded: number }>('POST', '/invoices/batch/submit', { body: { ids } })).body.succeeded;
    };
  const receipts: Take = async () => {
    const body = { items: [item], payment_method: 'cash' };
    const made = await Promise.all(Array.from({ length: BATCH / 10 }, () => call('POST', '/receipts', { body })));
    return made.filter(({ status }) => status === 201).length;
  };

  /** Takes numbers of three series until there are so many; the process is killed and started again meanwhile. */
  async function takeAll(): Promise<void> {
    let [taken, over] = [0, false];
    const worker = async (take: Take): Promise<void> => {
      while (!over) taken += await take().catch(() => new Promise<number>((resolve) => setTimeout(resolve, 200, 0)));
    };
    const work = Promise.all([invoicesOf('INV'), invoicesOf('WEB'), receipts].map(worker));
    for (const share of KILLS) {
      await eventually(() => taken > share * numbers, `${share} of the numbers`, LONGEST_MS);
      await system.kill('SIGKILL');
      system = await system.restart();
    }
    await eventually(() => taken >= numbers, 'all numbers', LONGEST_MS);
    over = true;
    await work;
  }

  /** Once the authority has answered for every number: a list says so by an index, where each certificate reads all numbers. */
  const answered = async (): Promise<void> => {
    for (const path of ['/invoices', '/receipts'])
      await eventually(
        async () => (await call<{ meta: { total: number } }>('GET', `${path}?fiscal_status=pending&per_page=1`)).body.meta.total === 0,
        `an outcome of all ${path.slice(1)}`,
        LONGEST_MS,
      );
  };

  /** Once reports know every outcome; 503 while postings are built. */
  const certificate = (): Promise<Certificate> =>
    eventually(
      async () => {
        const { status, body } = await call<Certificate>('GET', NUMBERING);
        return status === 200 && body.open.documents === 0 && body.meta.total >= numbers ? body : undefined;
      },
      'an outcome of every number',
      LONGEST_MS,
    );

  /** Resident, in MiB. */
  const memory = (): number => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${system.pid}/status`, 'utf8'))?.[1]) / 1024;

  /** The lines of a file that opens, and by how much the process grows meanwhile, in MiB. */
  async function download(report: string): Promise<{ lines: number; grown: number }> {
    const { url } = (await call<{ url: string }>('GET', `${report}&format=csv`)).body;
    const before = memory();
    let [most, lines] = [before, 0];
    const watch = setInterval(() => (most = Math.max(most, memory())), 50);
    for await (const piece of (await fetch(url)).body ?? []) for (const byte of piece as Uint8Array) if (byte === 10) lines += 1;
    clearInterval(watch);
    return { lines, grown: most - before };
  }

  test(
    `a certificate of ${numbers} numbers of three series, taken while the process was killed, verifies, holds little memory, and is the same from postings that are built anew`,
    async () => {
      const account = await openAccount(system, 'Shop', { onAnswer: () => undefined });
      call = (...request) => account.test(...request);
      for (let n = 0; n < CUSTOMERS; n += 1)
        customers.push((await call<{ id: string }>('POST', '/customers', { body: { name: `Customer ${n}` } })).body.id);
      const began = performance.now();
      await takeAll();
      const took = secondsSince(began);
      await answered();
      const answeredAfter = secondsSince(began);
      const { complete, gaps, sha256, meta } = await certificate();
      expect([complete, gaps]).toEqual([true, []]);

      const cited = await download('/reports/sales?from=2020-01-01&to=2099-12-31&group_by=customer&cite=true');
      const listed = await download(NUMBERING);
      console.log(
        JSON.stringify({
          cited,
          listed,
          tookSeconds: took,
          answeredSeconds: answeredAfter - took,
          readSeconds: secondsSince(began) - answeredAfter,
        }),
      );
      expect([cited.lines, listed.lines]).toEqual([meta.total + 1, meta.total + 1]);
      expect(Math.max(cited.grown, listed.grown)).toBeLessThanOrEqual(MOST_MIB);

      await files.save((await call<{ url: string }>('GET', `${NUMBERING}&format=csv`)).body.url);
      await files.exportNumbers(system, account.id);
      const verified = await files.verify();
      expect(verified).toEqual({ code: 0, output: expect.stringContaining(`sha256 ${sha256}`) });
      const counts = [...verified.output.matchAll(/^(INV|WEB|RCP)\.\d+: (\d+) numbers/gm)].map(([, series, count]) => [
        series,
        Number(count),
      ]);
      expect(counts.map(([series]) => series).sort()).toEqual(['INV', 'RCP', 'WEB']);
      expect(counts.reduce((sum, [, count]) => sum + Number(count), 0)).toBe(meta.total);

      if (system.servers) return; // Another test rebuilds the postings of services.
      await system.kill('SIGKILL');
      forgetPostings(system.dataDir);
      system = await system.restart();
      expect(await certificate()).toMatchObject({ complete: true, sha256, meta: { total: meta.total } });
    },
    2 * LONGEST_MS,
  );
}
