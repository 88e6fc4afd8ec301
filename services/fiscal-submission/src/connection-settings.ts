import { applyDecorators } from '@nestjs/common';
import { IsOptional, IsOrigin, IsText, Setting } from '@svc/service';
import { publishedOrigins } from './authorities/published-origins.ts';

/** Where the national authorities are, and who sends for issuers without a certificate. */
export interface ConnectionSettings {
  AL_CIS_TEST_URL?: string;
  ME_EFI_TEST_URL?: string;
  ES_VERIFACTU_TEST_URL?: string;
  AL_CIS_URL?: string;
  ME_EFI_URL?: string;
  ES_VERIFACTU_URL?: string;
  ES_VERIFACTU_CERTIFICATE?: string;
  ES_VERIFACTU_PASSPHRASE?: string;
}

const origin = (description: string): PropertyDecorator =>
  applyDecorators(Setting({ description }), IsOptional(), IsOrigin()) as PropertyDecorator;
const liveOrigin = (authority: keyof typeof publishedOrigins): PropertyDecorator =>
  origin(`origin of ${authority} for live documents, where it is not the published ${publishedOrigins[authority]}`);

/**
 * The config class with these settings after its own.
 * @param absent what serves test documents where an origin for them is not set
 */
export function withConnectionSettings<T extends object>(config: new () => T, absent: string): new () => T & ConnectionSettings {
  const testOrigin = (service: string): PropertyDecorator =>
    origin(`origin of ${service} for test documents, such as that of the authority simulator; absent: ${absent}`);

  class Config extends (config as new () => object) implements ConnectionSettings {
    @testOrigin('Albania’s Fiscalization Service')
    AL_CIS_TEST_URL?: string;

    @testOrigin('Montenegro’s fiscal service')
    ME_EFI_TEST_URL?: string;

    @testOrigin('Spain’s VERI*FACTU service')
    ES_VERIFACTU_TEST_URL?: string;

    @liveOrigin('al-cis')
    AL_CIS_URL?: string;

    @liveOrigin('me-efi')
    ME_EFI_URL?: string;

    @liveOrigin('es-verifactu')
    ES_VERIFACTU_URL?: string;

    @Setting({
      description: 'PKCS#12 file of a collaborator’s certificate, which sends to es-verifactu for live issuers without one of their own',
    })
    @IsOptional()
    @IsText()
    ES_VERIFACTU_CERTIFICATE?: string;

    @Setting({ description: 'passphrase of ES_VERIFACTU_CERTIFICATE', secret: true })
    @IsOptional()
    @IsText()
    ES_VERIFACTU_PASSPHRASE?: string;
  }
  return Config as new () => T & ConnectionSettings;
}

/** The origins that are set, by environment and authority. */
export const originsOf = (settings: ConnectionSettings) => ({
  testUrls: set({
    ...{ 'al-cis': settings.AL_CIS_TEST_URL, 'me-efi': settings.ME_EFI_TEST_URL },
    'es-verifactu': settings.ES_VERIFACTU_TEST_URL,
  }),
  liveUrls: set({
    ...{ 'al-cis': settings.AL_CIS_URL, 'me-efi': settings.ME_EFI_URL },
    'es-verifactu': settings.ES_VERIFACTU_URL,
  }),
});

const set = (origins: Readonly<Record<string, string | undefined>>): Record<string, string> =>
  Object.fromEntries(Object.entries(origins).filter((entry): entry is [string, string] => entry[1] !== undefined));
