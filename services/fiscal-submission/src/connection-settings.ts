import { applyDecorators } from '@nestjs/common';
import { IsOptional, IsOrigin, IsText, Setting } from '@svc/service';
import { withTestConnections, type TestConnections } from '@svc/service/process/test-connections';
import { publishedOrigins } from './authorities/published-origins.ts';

/** Where the national authorities are, and who sends for issuers without a certificate. */
export interface ConnectionSettings extends TestConnections {
  AL_CIS_URL?: string;
  ME_EFI_URL?: string;
  ES_VERIFACTU_URL?: string;
  ES_VERIFACTU_CERTIFICATE?: string;
  ES_VERIFACTU_PASSPHRASE?: string;
}

const liveOrigin = (authority: keyof typeof publishedOrigins): PropertyDecorator =>
  applyDecorators(
    Setting({ description: `origin of ${authority} for live documents, where it is not the published ${publishedOrigins[authority]}` }),
    IsOptional(),
    IsOrigin(),
  ) as PropertyDecorator;

/**
 * The config class with these settings after its own.
 * @param absent what serves test documents where an origin for them is not set
 */
export function withConnectionSettings<T extends object>(config: new () => T, absent: string): new () => T & ConnectionSettings {
  class Config extends (withTestConnections(config, absent) as new () => object) implements ConnectionSettings {
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
