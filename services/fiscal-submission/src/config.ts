import { IsOneOf, IsOrigin, Setting } from '@svc/service-kit';

export const paces = ['live', 'fast'] as const;
export type Pace = (typeof paces)[number];

/** What this service reads from the environment besides what every service does. */
export class FiscalSubmissionConfig {
  @Setting({ description: 'where the authority simulator listens', default: 'http://127.0.0.1:3002' })
  @IsOrigin()
  SIMULATOR_URL: string;

  @Setting({ description: 'fast divides the waits between attempts by 100, for tests', default: 'live' })
  @IsOneOf(paces)
  AUTHORITY_PACE: Pace;
}
