import { client, eventually } from '@svc/testkit';
import type { Shop } from '../../authorities/testing/shop.ts';

const DAY_MS = 86_400_000;

interface CertificateFile {
  certificate: string;
  passphrase: string;
}

/** What operators of a simulator, which may just be started again, have its authority do to one shop. */
export class ScriptedAuthority {
  constructor(
    private readonly simulator: string,
    private readonly shop: Shop,
  ) {}

  /** The shop's next call, or its next one of an operation, has the fault. */
  async script(fault: string, operation?: string): Promise<void> {
    const { authority, tax_id } = this.shop;
    await this.operate('POST', '/faults', { authority, tax_id, fault, ...(operation && { operation }) });
  }

  /** No call has a fault any more. */
  clear(): Promise<unknown> {
    return this.operate('DELETE', '/faults');
  }

  /** Issues a certificate, which the shop sets. `successor`: it follows the present one at its end. */
  async setCertificate(endsInMs: number, over: { successor?: true } = {}): Promise<void> {
    const { call, authority, tax_id } = this.shop;
    const issued = { authority, tax_id, days: endsInMs / DAY_MS };
    const { certificate, passphrase } = await this.operate<CertificateFile>('POST', '/certificates', issued);
    const put = async (): Promise<true> => {
      const { status, text } = await call('PUT', '/fiscal-credentials', { body: { certificate, passphrase, ...over } });
      if (status !== 200) throw new Error(text);
      return true;
    };
    await eventually(put, 'a certificate');
  }

  private operate<T>(method: string, path: string, body?: object): Promise<NonNullable<T>> {
    const ask = async (): Promise<T> => {
      const { status, body: answer, text } = await client(this.simulator)<T>(method, path, body && { body });
      if (status !== 200) throw new Error(text);
      return answer;
    };
    return eventually(ask, `${method} ${path}`);
  }
}
