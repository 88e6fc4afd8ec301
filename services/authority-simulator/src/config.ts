import { IsOneOf, IsPort, IsText } from '@svc/service/config/rules';
import { Setting } from '@svc/service/config/setting';
import { logLevels, type LogLevel } from '@svc/service/logging/logger';

export class SimulatorConfig {
  @Setting({ description: 'port of the authority, of its book (/ledger) and of /healthz', default: 3002 })
  @IsPort()
  SIMULATOR_PORT: number;

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
