import { X509Certificate } from 'node:crypto';
import { iso } from '@svc/kernel';
import { unsigned, type Answer } from './answer.ts';
import type { SimulatorRequest } from './requests.ts';
import { rememberKey } from './pki/taxpayer-keys.ts';
import { makeCertificate } from './pki/test-certificates.ts';
import type { TestAuthority } from './pki/test-authority.ts';
import { authorities, isAuthority, type AuthorityId } from './wires/authorities.ts';
import { gaps, ledgerPage, ledgerSettled, values } from './wires/book.ts';
import type { WireExchange } from './wires/exchange.ts';
import { faultOf, type ScriptedFault } from './wires/faults.ts';

/** A wire as operators see it. */
export interface Served {
  authority: AuthorityId;
  /** `127.0.0.1:3003`, for http and https. */
  address: string;
  paths: readonly string[];
  certificates: TestAuthority;
  country: string;
}

type Fields = Record<string, unknown>;
const MOST_ROWS = { ledger: 10_000, wire: 500 };
const MOST_DAYS = 3_650;
const DAY_S = 86_400;

/** The calls of operators about the national authorities; undefined for a path that is none of them. */
export function operatorCalls(exchange: WireExchange, served: readonly Served[]) {
  const { storage } = exchange;

  return async function ask({ method, path, body }: SimulatorRequest): Promise<Answer | undefined> {
    const url = URL.parse(path, 'http://authority');
    const query = url?.searchParams ?? new URLSearchParams();
    switch (url && `${method} ${url.pathname}`) {
      case 'GET /ledger':
        return query.has('authority') ? page(query, MOST_ROWS.ledger, ledger) : undefined;
      case 'GET /wire':
        return page(query, MOST_ROWS.wire, wire);
      case 'GET /chains':
        return page(query, MOST_ROWS.ledger, chains);
      case 'GET /authorities':
        return json({ data: served.map(({ certificates, country: _, ...one }) => ({ ...one, trust: certificates.certificate })) });
      case 'GET /faults':
        return json({ data: await storage.write(() => exchange.faults.open()) });
      case 'DELETE /faults':
        await storage.write(() => exchange.faults.clear());
        return json({ data: [] });
      case 'POST /faults':
        return posted(body, scriptFault);
      case 'POST /clock':
        return posted(body, setClock);
      case 'POST /taxpayers':
        return posted(body, declareTaxpayer);
      case 'POST /certificates':
        return posted(body, issueCertificate);
      default:
        return undefined;
    }
  };

  async function page(
    query: URLSearchParams,
    most: number,
    read: (authority: AuthorityId, after: number, limit: number) => Promise<object>,
  ): Promise<Answer> {
    const [authority, after, limit] = [query.get('authority') ?? '', query.get('after') ?? '0', query.get('limit') ?? '100'];
    if (!isAuthority(authority)) return unsigned(400, `authority is one of ${authorities.join(', ')}`);
    if (!/^\d{1,12}$/.test(after) || !/^\d{1,12}$/.test(limit)) return unsigned(400, 'after and limit are whole numbers');
    return json(await read(authority, Number(after), Math.min(Number(limit), most)));
  }

  async function ledger(authority: AuthorityId, after: number, limit: number): Promise<object> {
    await ledgerSettled(storage);
    const { data, total } = ledgerPage(storage, authority, after, limit);
    return { data, meta: { total, gaps: gaps(storage, authority) } };
  }

  /** Chains of records and the pace of their issuers, as they arrived. */
  async function chains(authority: AuthorityId, after: number, limit: number): Promise<object> {
    await ledgerSettled(storage);
    return {
      data: values(storage, { authority, kind: 'chain', after, limit }),
      meta: { pace: values(storage, { authority, kind: 'pace', after: 0, limit }) },
    };
  }

  async function wire(authority: AuthorityId, after: number, limit: number): Promise<object> {
    const { data, last } = await exchange.exchanges.page(authority, after, limit);
    return { data, meta: { last } };
  }

  async function scriptFault(authority: AuthorityId, fields: Fields): Promise<object | string> {
    const { fault, times = 1 } = fields;
    if (typeof fault !== 'string' || !faultOf(authority, fault)) return 'fault is not known to the authority';
    if (!Number.isInteger(times) || Number(times) < 1 || Number(times) > 10_000) return 'times is a whole number from 1 to 10000';
    const scripted: ScriptedFault = { authority, fault, times: Number(times) };
    for (const name of ['tax_id', 'number', 'operation'] as const) {
      const value = fields[name];
      if (value === undefined) continue;
      if (!isText(value)) return `${name} is a text`;
      scripted[name] = value;
    }
    return storage.write(() => {
      if (exchange.faults.open().length >= MOST_FAULTS) return 'there are too many open faults';
      exchange.faults.add(scripted);
      return scripted;
    });
  }

  /** Sets an authority's clock, by the seconds that it is ahead of this machine's. */
  async function setClock(authority: AuthorityId, { ahead }: Fields): Promise<object | string> {
    if (!Number.isInteger(ahead) || Math.abs(Number(ahead)) > MOST_DAYS * DAY_S)
      return `ahead is a whole number of seconds within ${MOST_DAYS} days`;
    return storage.write(() => {
      exchange.setClock(authority, Number(ahead));
      return { authority, ahead, now: iso(exchange.now(authority)) };
    });
  }

  /** What the authority's registry has of a taxpayer; fields that are not given do not limit him. */
  async function declareTaxpayer(authority: AuthorityId, fields: Fields): Promise<object | string> {
    const { tax_id, known = true, active = true, in_vat, units, software, maintainers, represents } = fields;
    if (!isText(tax_id)) return 'tax_id is missing';
    if ([known, active, in_vat ?? true].some((value) => typeof value !== 'boolean')) return 'known, active and in_vat are true or false';
    const lists = { units, software, maintainers, represents };
    for (const [name, list] of Object.entries(lists))
      if (list !== undefined && !(Array.isArray(list) && list.length <= 1_000 && list.every(isText))) return `${name} is a list of codes`;
    const taxpayer = { isKnown: known, isActive: active, isInVat: in_vat, ...lists };
    await storage.write(() => exchange.registry(authority).setValue('taxpayer', tax_id, taxpayer));
    return { authority, tax_id, known, active, in_vat, ...lists };
  }

  async function issueCertificate(authority: AuthorityId, fields: Fields): Promise<object | string> {
    const { tax_id, name = 'Test taxpayer', days = 365, revoked = false } = fields;
    const wire = served.find((one) => one.authority === authority);
    if (!wire || !isText(tax_id) || !isText(name)) return 'tax_id is missing';
    if (typeof days !== 'number' || !Number.isFinite(days) || Math.abs(days) > MOST_DAYS) return `days is a number within ${MOST_DAYS}`;
    const registry = exchange.registry(authority);
    const { serial, now } = await storage.write(() => {
      const next = (registry.value<number>('serial', '') ?? 4_096) + 1;
      registry.setValue('serial', '', next);
      const hex = `0${next.toString(16)}`.slice(-2 * Math.ceil(next.toString(16).length / 2));
      if (revoked === true) registry.setValue('revoked', hex, true);
      return { serial: hex, now: exchange.now(authority) };
    });
    const subject = { country: wire.country, name, taxId: tax_id };
    const made = await makeCertificate(wire.certificates, { subject, serial, now, days });
    const { publicKey } = new X509Certificate(made.certificate_pem);
    if (days > 0 && revoked !== true) await storage.write(() => rememberKey(registry, tax_id, publicKey));
    return made;
  }
}

const MOST_FAULTS = 1_000;

async function posted(body: string, act: (authority: AuthorityId, fields: Fields) => Promise<object | string>): Promise<Answer> {
  const fields = objectOf(body);
  const authority = fields?.['authority'];
  if (!fields || typeof authority !== 'string' || !isAuthority(authority))
    return unsigned(422, `the body is a JSON object whose authority is one of ${authorities.join(', ')}`);
  const made = await act(authority, fields);
  return typeof made === 'string' ? unsigned(422, made) : json(made);
}

function objectOf(body: string): Fields | undefined {
  try {
    const value: unknown = JSON.parse(body);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : undefined;
  } catch {
    return undefined;
  }
}

const isText = (value: unknown): value is string => typeof value === 'string' && value.length > 0 && value.length <= 200;
const json = (content: object): Answer => ({
  status: 200,
  headers: { 'content-type': 'application/json' },
  body: Buffer.from(JSON.stringify(content)),
});
