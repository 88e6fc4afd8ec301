import { X509Certificate } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { applyDecorators } from '@nestjs/common';
import { ValidateBy } from 'class-validator';
import { IsOptional, IsText, rule } from '../config/rules.ts';
import { readAs, Setting } from '../config/setting.ts';

/** Certificates in PEM, by the name of their file: `al-cis.tls.pem`, `al-cis.answers.pem`. */
export type TrustFiles = ReadonlyMap<string, readonly string[]>;

/** What a deployment says of itself to tax authorities, and whom it trusts there. invoicing and fiscal-submission have the same. */
export interface AuthoritySettings {
  AUTHORITY_TRUST?: TrustFiles;
  ME_EFI_SIGNER?: string;
  SOFTWARE_PRODUCER?: string;
  SOFTWARE_PRODUCER_TAX_ID?: string;
  SOFTWARE_NAME?: string;
  SOFTWARE_ID?: string;
  SOFTWARE_VERSION?: string;
}

const FILE = /^(al-cis|me-efi|es-verifactu)\.(test\.)?(tls|answers)\.pem$/;
const LARGEST = 1_048_576;

/** The files of the folder that are trust anchors; others are not read. Throws with what is wrong, in words that follow a name. */
function trustFilesIn(folder: string): TrustFiles {
  const files = readdirSync(folder).filter((name) => FILE.test(name));
  return new Map(files.map((name) => [name, certificatesIn(folder, name)]));
}

function certificatesIn(folder: string, name: string): string[] {
  const path = join(folder, name);
  if (statSync(path).size > LARGEST) throw new Error(`${name} is larger than 1 MiB`);
  const blocks = readFileSync(path, 'latin1').match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [];
  if (blocks.length === 0) throw new Error(`${name} has no certificate in PEM`);
  for (const block of blocks) {
    let certificate;
    try {
      certificate = new X509Certificate(block);
    } catch {
      throw new Error(`${name} has a certificate that cannot be read`);
    }
    if (!certificate.ca) throw new Error(`${name} has the certificate of ${certificate.subject.replaceAll('\n', ', ')}, who issues none`);
  }
  return blocks.map((block) => `${block}\n`);
}

function faultOf(folder: string): string {
  try {
    trustFilesIn(folder);
    return 'this one could not be read';
  } catch (error) {
    return (error as Error).message;
  }
}

const IsTrustFolder = (): PropertyDecorator =>
  applyDecorators(
    readAs((text) => {
      try {
        return trustFilesIn(text);
      } catch {
        return text;
      }
    }),
    ValidateBy({
      name: 'isTrustFolder',
      validator: {
        validate: (value) => value instanceof Map,
        defaultMessage: (about) => `a folder with files of certification authorities, in PEM, and here: ${faultOf(String(about?.value))}`,
      },
    }),
  ) as PropertyDecorator;

const IsTextUpTo = (most: number): PropertyDecorator =>
  rule(`a text of at most ${most} characters`, (value) => typeof value === 'string' && value.length <= most, {
    schema: { type: 'string', maxLength: most },
  });

/** The config class with these settings after its own. */
export function withAuthoritySettings<T extends object>(config: new () => T): new () => T & AuthoritySettings {
  class Config extends (config as new () => object) implements AuthoritySettings {
    @Setting({
      description:
        'folder of trust anchors in PEM: <authority>.tls.pem of its TLS and <authority>.answers.pem of its signed answers, without which al-cis and me-efi take no live documents; <authority>.test.tls.pem and <authority>.test.answers.pem where the test connection is the authority’s own test service',
    })
    @IsOptional()
    @IsTrustFolder()
    AUTHORITY_TRUST?: TrustFiles;

    @Setting({ description: 'common name in the certificate of Montenegro’s signed answers; me-efi takes no live documents without it' })
    @IsOptional()
    @IsText()
    ME_EFI_SIGNER?: string;

    @Setting({
      description: 'who produces this software, as far as Spain’s order is concerned; without it es-verifactu takes no live documents',
    })
    @IsOptional()
    @IsTextUpTo(120)
    SOFTWARE_PRODUCER?: string;

    @Setting({ description: 'the producer’s NIF; needed by es-verifactu' })
    @IsOptional()
    @rule('a NIF of nine letters and digits', (value) => /^[A-Z0-9][0-9]{7}[A-Z0-9]$/.test(String(value)))
    SOFTWARE_PRODUCER_TAX_ID?: string;

    @Setting({ description: 'what the producer calls the software; needed by es-verifactu' })
    @IsOptional()
    @IsTextUpTo(30)
    SOFTWARE_NAME?: string;

    @Setting({ description: 'the producer’s id of the software; needed by es-verifactu' })
    @IsOptional()
    @rule('two of A–Z and 0–9', (value) => /^[A-Z0-9]{2}$/.test(String(value)))
    SOFTWARE_ID?: string;

    @Setting({ description: 'the software’s version, as the producer counts it; needed by es-verifactu' })
    @IsOptional()
    @IsTextUpTo(50)
    SOFTWARE_VERSION?: string;
  }
  return Config as new () => T & AuthoritySettings;
}

const SOFTWARE = ['SOFTWARE_PRODUCER', 'SOFTWARE_PRODUCER_TAX_ID', 'SOFTWARE_NAME', 'SOFTWARE_ID', 'SOFTWARE_VERSION'] as const;

/** What the deployment lacks for live documents, by authority, in words for its operator: names of settings and of files in AUTHORITY_TRUST. */
export function lackingOf(settings: AuthoritySettings): Readonly<Record<string, readonly string[]>> {
  const files = settings.AUTHORITY_TRUST;
  const lacks = (authority: string): string[] =>
    ['tls', 'answers'].flatMap((of) => (files?.has(`${authority}.${of}.pem`) ? [] : [`${authority}.${of}.pem in AUTHORITY_TRUST`]));
  return {
    'al-cis': lacks('al-cis'),
    'me-efi': [...lacks('me-efi'), ...(settings.ME_EFI_SIGNER === undefined ? ['ME_EFI_SIGNER'] : [])],
    'es-verifactu': SOFTWARE.filter((name) => settings[name] === undefined),
  };
}
