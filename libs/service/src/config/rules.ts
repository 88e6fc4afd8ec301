import { applyDecorators } from '@nestjs/common';
import { ValidateBy } from 'class-validator';
import { parseKeyRing } from '../secrets/key-ring.ts';
import { readAs, writtenAs } from './setting.ts';

export { IsOptional } from 'class-validator';

interface Writing {
  /** Returns undefined for a text without a value. */
  read?: (text: string) => unknown;
  /** JSON schema of what may be written. */
  schema?: object;
}

/** A rule of a setting: the allowed values in words, the check, and how a value is written. */
export const rule = (may: string, holds: (value: unknown) => boolean, { read, schema }: Writing = {}): PropertyDecorator =>
  applyDecorators(
    ...(read ? [readAs((text) => read(text) ?? text)] : []),
    ...(schema ? [writtenAs(schema)] : []),
    ValidateBy({ name: may, validator: { validate: holds, defaultMessage: () => may } }),
  ) as PropertyDecorator;

const text = (pattern: string): object => ({ type: 'string', pattern: `^(?:${pattern})$` });
/** Texts that match, with commas between. */
const texts = (pattern: string): object => text(`${pattern}(?:, *${pattern})*`);

const isCount = (value: unknown): value is number => Number.isInteger(value);

export const IsFlag = (): PropertyDecorator =>
  rule('true or false', (value) => typeof value === 'boolean', { schema: { type: 'boolean' } });
export const IsPort = (): PropertyDecorator =>
  rule('a port, 0 (any free one) to 65535', (value) => isCount(value) && value >= 0 && value <= 65_535, {
    schema: { type: 'integer', minimum: 0, maximum: 65_535 },
  });
export const IsCount = (min: number, max: number): PropertyDecorator =>
  rule(`a whole number, ${min} to ${max}`, (value) => isCount(value) && value >= min && value <= max, {
    schema: { type: 'integer', minimum: min, maximum: max },
  });
export const IsOneOf = (values: readonly string[]): PropertyDecorator =>
  rule(`one of ${values.join(', ')}`, (value) => values.includes(value as string), { schema: { enum: values } });
/** Some of the values, with commas between. */
export const IsSome = (values: readonly string[]): PropertyDecorator =>
  rule(`of ${values.join(', ')}, with commas between`, Array.isArray, {
    read: (text) => allOf(text, (item) => (values.includes(item) ? item : undefined)),
  });
export const IsText = (): PropertyDecorator => rule('a text', (value) => typeof value === 'string' && value !== '');

const SHORTEST_TOKEN = 32;
/** An operators' token: too long to be guessed, and valid in a header. */
export const IsToken = (): PropertyDecorator =>
  rule(
    `${SHORTEST_TOKEN} characters or more, without spaces (openssl rand -base64 32)`,
    (value) => typeof value === 'string' && value.length >= SHORTEST_TOKEN && /^[!-~]+$/.test(value),
  );

const UNITS: Record<string, number> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };
const DURATION = String.raw`\d{1,9}(?:ms|s|m|h|d)`;
const milliseconds = (text: string): number | undefined => {
  const [, count, unit] = /^(\d{1,9})(ms|s|m|h|d)$/.exec(text.trim()) ?? [];
  return count && unit ? Number(count) * (UNITS[unit] as number) : undefined;
};
const allOf = <T>(text: string, one: (item: string) => T | undefined): T[] | undefined => {
  if (text === '') return []; // only a default is empty
  const values = text.split(',').map((item) => one(item.trim()));
  return values.includes(undefined) ? undefined : (values as T[]);
};

/** `300ms`, `30s`, `5m`, `2h`, `1d`: milliseconds. */
export const IsDuration = (): PropertyDecorator =>
  rule('a duration such as 300ms, 30s, 5m, 2h or 1d', isCount, { read: milliseconds, schema: text(DURATION) });
/** `1m,5m,30m`: milliseconds of each, at least one. */
export const IsDurations = (): PropertyDecorator =>
  rule('durations with commas between, such as 1m,5m,30m,2h,24h', Array.isArray, {
    read: (text) => allOf(text, milliseconds),
    schema: texts(DURATION),
  });

/** A URL of one of the schemes, as text. Unlike a web URL it may name several hosts. */
export const IsUrlOf = (...schemes: string[]): PropertyDecorator =>
  rule(`a URL of ${schemes.join(' or ')}`, (value) => typeof value === 'string' && schemes.includes(schemeOf(value) ?? ''), {
    schema: text(String.raw`(?:${schemes.map((scheme) => scheme.replace('+', String.raw`\+`)).join('|')})://[^\s/?#]+\S*`),
  });
const schemeOf = (text: string): string | undefined => /^([a-z][a-z\d+.-]*):\/\/[^\s/?#]+[^\s]*$/.exec(text)?.[1];

/** `broker-1:9092,broker-2:9092`: texts. */
export const IsAddresses = (): PropertyDecorator =>
  rule('hosts and ports with commas between, such as 127.0.0.1:9092', Array.isArray, {
    read: (text) => allOf(text, (item) => (new RegExp(`^${ADDRESS}$`).test(item) ? item : undefined)),
    schema: texts(ADDRESS),
  });
const ADDRESS = String.raw`(?:[\w.-]+|\[[\da-fA-F:]+\]):\d{1,5}`;

/** The prefix of one system's names on servers that several systems share; '' for a single system. */
export const IsNamespace = (): PropertyDecorator =>
  rule('1 to 16 small letters and digits', (value) => typeof value === 'string' && /^[a-z\d]{0,16}$/.test(value), {
    schema: text('[a-z0-9]{0,16}'),
  });

/** An origin such as `https://api.example.com`, without a path or a slash at its end; `http` too. */
export const IsOrigin = (): PropertyDecorator =>
  rule('an origin such as https://api.example.com', (value) => typeof value === 'string' && originOf(value) === value, {
    read: originOf,
    schema: text(ORIGIN),
  });
/** The same, or a word that stands for none. */
export const IsOriginOr = (none: string): PropertyDecorator =>
  rule(
    `an origin such as https://api.example.com, or ${none}`,
    (value) => typeof value === 'string' && [none, originOf(value)].includes(value),
    {
      read: (text) => (text === none ? none : originOf(text)),
      schema: text(`${none}|${ORIGIN}`),
    },
  );
export const IsOrigins = (): PropertyDecorator =>
  rule('origins with commas between, such as http://127.0.0.1:9000', Array.isArray, {
    read: (text) => allOf(text, originOf),
    schema: texts(ORIGIN),
  });
const ORIGIN = String.raw`https?://[^\s/?#@,]+/?`;
const originOf = (text: string): string | undefined => {
  const url = URL.parse(text);
  const bare = url && /^https?:$/.test(url.protocol) && url.pathname === '/' && !url.search && !url.hash && !url.username;
  return bare ? url.origin : undefined;
};

/** Names, separated by commas. */
export const IsList = (of: string): PropertyDecorator =>
  rule(`${of} with commas between`, Array.isArray, { read: (text) => allOf(text, (item) => item || undefined) });

/** `api.x=live,sandbox.x=sandbox`: a Map of host (lower case, without port) to its kind. */
export const IsHosts = (): PropertyDecorator =>
  rule('hosts and their kind, such as api.x=live,sandbox.x=sandbox', (value) => value instanceof Map, {
    read(text) {
      const hosts = allOf(text, (item) => {
        const [, host, kind] = /^([\w.-]+)=(live|sandbox)$/.exec(item) ?? [];
        return host && kind ? ([host.toLowerCase(), kind] as const) : undefined;
      });
      return hosts && new Map(hosts);
    },
  });

/** A key ring in the form of `parseKeyRing`. The message shows the form, never the value. */
export const IsKeyRing = (): PropertyDecorator =>
  rule('a key ring, v1:<base64 of 32 bytes>[,v2:…]', (value) => typeof value === 'string' && isKeyRing(value));
const isKeyRing = (text: string): boolean => {
  try {
    parseKeyRing(text);
    return true;
  } catch {
    return false;
  }
};

/** A setting that has no effect in this process, and is an error, so that no operator relies on it. */
export const IsNotForThisRun = (why: string): PropertyDecorator => rule(`absent: ${why}`, (value) => value === undefined);
