import { IsCount, IsList, IsOneOf, IsOptional, IsPort, IsText } from '@svc/service/config/rules';
import { Setting } from '@svc/service/config/setting';
import { logLevels, type LogLevel } from '@svc/service/logging/logger';

export class SimulatorConfig {
  @Setting({ description: 'port of the sandbox authority, of operators’ calls (/ledger, /wire, /faults) and of /healthz', default: 3002 })
  @IsPort()
  SIMULATOR_PORT: number;

  @Setting({ description: 'port of Albania’s Fiscalization Service, by TLS and by HTTP; absent: it is not served' })
  @IsOptional()
  @IsPort()
  AL_CIS_PORT?: number;

  @Setting({ description: 'port of Montenegro’s fiscal service, by TLS and by HTTP; absent: it is not served' })
  @IsOptional()
  @IsPort()
  ME_EFI_PORT?: number;

  @Setting({ description: 'port of Spain’s VERI*FACTU service, by TLS and by HTTP; absent: it is not served' })
  @IsOptional()
  @IsPort()
  ES_VERIFACTU_PORT?: number;

  @Setting({
    description: 'names and addresses in the TLS certificates of the national authorities',
    default: 'localhost,127.0.0.1,::1,authority-simulator',
  })
  @IsList('names')
  TLS_HOSTS: string[];

  @Setting({
    description: 'MiB of requests and answers that are kept of each national authority, at most 100,000 exchanges',
    default: 1024,
  })
  @IsCount(1, 1_048_576)
  WIRE_MIB: number;

  @Setting({ description: 'address that it listens on', default: '127.0.0.1' })
  @IsText()
  HOST: string;

  @Setting({ description: 'file of the ledger, made where it is not there', default: 'authority-ledger.sqlite' })
  @IsText()
  LEDGER_FILE: string;

  @Setting({ description: 'how much is logged', default: 'info' })
  @IsOneOf(logLevels)
  LOG_LEVEL: LogLevel;
}
