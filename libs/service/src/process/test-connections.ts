import { applyDecorators } from '@nestjs/common';
import { IsOptional, IsOrigin } from '../config/rules.ts';
import { Setting } from '../config/setting.ts';
import { NO_SIMULATOR } from './config.ts';

/** Where test documents of the national authorities go. invoicing and fiscal-submission have the same. */
export interface TestConnections {
  AL_CIS_TEST_URL?: string;
  ME_EFI_TEST_URL?: string;
  ES_VERIFACTU_TEST_URL?: string;
}

/**
 * The config class with these settings after its own.
 * @param absent what becomes of test documents where an origin for them is not set
 */
export function withTestConnections<T extends object>(config: new () => T, absent: string): new () => T & TestConnections {
  const origin = (service: string): PropertyDecorator =>
    applyDecorators(
      Setting({ description: `origin of ${service} for test documents, such as that of the authority simulator; absent: ${absent}` }),
      IsOptional(),
      IsOrigin(),
    ) as PropertyDecorator;

  class Config extends (config as new () => object) implements TestConnections {
    @origin('Albania’s Fiscalization Service')
    AL_CIS_TEST_URL?: string;

    @origin('Montenegro’s fiscal service')
    ME_EFI_TEST_URL?: string;

    @origin('Spain’s VERI*FACTU service')
    ES_VERIFACTU_TEST_URL?: string;
  }
  return Config as new () => T & TestConnections;
}

/** The settings that test documents lack here, by authority. Those of the sandbox do where the deployment says that nothing answers them. */
export const lackingForTests = (of: TestConnections & { SIMULATOR_URL?: string }): Readonly<Record<string, readonly string[]>> => ({
  sandbox: of.SIMULATOR_URL === NO_SIMULATOR ? ['SIMULATOR_URL'] : [],
  'al-cis': of.AL_CIS_TEST_URL === undefined ? ['AL_CIS_TEST_URL'] : [],
  'me-efi': of.ME_EFI_TEST_URL === undefined ? ['ME_EFI_TEST_URL'] : [],
  'es-verifactu': of.ES_VERIFACTU_TEST_URL === undefined ? ['ES_VERIFACTU_TEST_URL'] : [],
});
