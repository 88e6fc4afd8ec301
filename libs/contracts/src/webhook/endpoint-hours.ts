import type { HourOfEndpoint } from '../console/resources.ts';
import { IsText, IsTimestamp, IsWhole, OneOf } from '../schema/decorators/index.ts';

/** The path at which webhooks-dispatcher counts the attempts of an endpoint, for the gateway only. */
export const ENDPOINT_HOURS = '/internal/endpoint-hours';

export class EndpointHoursRequest {
  @IsText(64) account: string;
  @OneOf(['test', 'live']) env: 'test' | 'live';
  @IsText(64) endpoint_id: string;
  /** Begin of the first hour. */
  @IsTimestamp() from: string;
  @IsWhole({ min: 1, max: 168 }) hours: number;
}

export interface EndpointHoursResponse {
  /** All attempts for events from this time on are counted. */
  counted_from: string;
  data: HourOfEndpoint[];
}

export type EndpointHours = (asked: EndpointHoursRequest) => Promise<EndpointHoursResponse>;
