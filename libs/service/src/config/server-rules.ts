import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { applyDecorators } from '@nestjs/common';
import { ValidateBy } from 'class-validator';
import { IsUrlOf, rule } from './rules.ts';

const FLAG = /^(?:true|false)$/;
const NUMBER = /^\d+$/;
const TEXT = /./;
/** The options of EventStoreDB's client that have an effect. */
const EVENT_STORE_OPTIONS: Record<string, RegExp> = {
  tls: FLAG,
  tlsCAFile: TEXT,
  userCertFile: TEXT,
  userKeyFile: TEXT,
  connectionName: TEXT,
  nodePreference: /^(?:leader|follower|read_only_replica|random)$/,
  maxDiscoverAttempts: NUMBER,
  discoveryInterval: NUMBER,
  gossipTimeout: NUMBER,
  defaultDeadline: NUMBER,
  keepAliveInterval: NUMBER,
  keepAliveTimeout: NUMBER,
};
const FILE_OPTIONS = ['tlsCAFile', 'tlsCertificateKeyFile', 'tlsCRLFile', 'userCertFile', 'userKeyFile'];

/** The files that a server's URL names exist and are readable. The client would report a missing one by a stack trace, or not at all. */
const NamesFiles = (): PropertyDecorator =>
  ValidateBy({
    name: 'namesFiles',
    validator: {
      validate: (value) => unreadableFile(value) === undefined,
      defaultMessage: (about) => `a URL whose files can be read: ${unreadableFile(about?.value)}`,
    },
  }) as PropertyDecorator;

function unreadableFile(url: unknown): string | undefined {
  const options = new URLSearchParams(typeof url === 'string' ? url.split('?')[1] : '');
  for (const option of FILE_OPTIONS) {
    const path = options.get(option);
    const fault = path === null ? undefined : pemFault(path);
    if (fault) return `${option} ${path} ${fault}`;
  }
  return undefined;
}

function pemFault(path: string): string | undefined {
  try {
    return readFileSync(path, 'latin1').includes('-----BEGIN ') ? undefined : 'is no PEM file';
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return `(${code === 'ENOENT' ? 'is not there' : code})`;
  }
}

/** The path of a PEM file that begins with a certificate. */
export const IsCertificateFile = (): PropertyDecorator =>
  ValidateBy({
    name: 'isCertificateFile',
    validator: {
      validate: (value) => certificateFault(String(value)) === undefined,
      defaultMessage: (about) => `a PEM file of certificates, and this one ${certificateFault(String(about?.value))}`,
    },
  }) as PropertyDecorator;

function certificateFault(path: string): string | undefined {
  const fault = pemFault(path);
  if (fault) return fault;
  try {
    new X509Certificate(readFileSync(path));
    return undefined;
  } catch {
    return 'does not begin with a certificate';
  }
}

export const IsMongoUrl = (): PropertyDecorator => applyDecorators(IsUrlOf('mongodb', 'mongodb+srv'), NamesFiles()) as PropertyDecorator;

/** Every option is checked here, because the client prints the whole string with the password when one is wrong. */
export const IsEventStoreUrl = (): PropertyDecorator => applyDecorators(IsConnectionString(), NamesFiles()) as PropertyDecorator;

const IsConnectionString = (): PropertyDecorator =>
  rule(
    `esdb://[user:password@]host:2113[,host:2113][?option=value&…] or esdb+discover://…; options: ${Object.keys(EVENT_STORE_OPTIONS).join(', ')}`,
    (value) => {
      const form = /^esdb(?:\+discover)?:\/\/(?:[^:@/?\s]+:[^@\s]+@)?[\w.-]+(?::\d{1,5})?(?:,[\w.-]+(?::\d{1,5})?)*\/?(?:\?(\S+))?$/.exec(
        String(value),
      );
      return (
        form !== null &&
        (form[1]?.split('&') ?? []).every((option) => {
          const [name = '', ...rest] = option.split('=');
          return rest.length === 1 && Object.hasOwn(EVENT_STORE_OPTIONS, name) && EVENT_STORE_OPTIONS[name]?.test(rest[0] ?? '');
        })
      );
    },
  );
