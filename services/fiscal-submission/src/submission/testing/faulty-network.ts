import { NotSent, type Http, type HttpRequest, type HttpResponse } from '../../sending/http.ts';

export const faults = [
  'none',
  'refused',
  'lost_before',
  'lost_after',
  'error_after',
  'gateway_503',
  'garbage',
  'stale_answer',
  'crash_before',
  'crash_after',
] as const;
export type NetworkFault = (typeof faults)[number];

const never = (): Promise<never> => new Promise(() => undefined);
const lost = (): never => {
  throw new Error('the connection broke');
};

/**
 * A network that applies the next fault of the schedule to each call, and none after its end. `crash_*` kills the caller's process before
 * or after the other side has received the call; the caller gets no response.
 */
export function faultyNetwork(http: Http, schedule: NetworkFault[], crash: () => void): Http {
  let stale: HttpResponse | undefined;
  let isDead = false;
  const forward = async (request: HttpRequest): Promise<HttpResponse> => {
    const answer = await http(request);
    stale ??= answer;
    return answer;
  };
  const die = (): Promise<never> => {
    if (!isDead) crash();
    isDead = true;
    return never();
  };
  return async (request) => {
    if (isDead) return never();
    const fault = schedule.shift() ?? 'none';
    switch (fault) {
      case 'none':
        return forward(request);
      case 'refused':
        throw new NotSent('nothing listens');
      case 'lost_before':
        return lost();
      case 'lost_after':
        await forward(request);
        return lost();
      case 'error_after':
        await forward(request);
        return { status: 500, headers: {}, body: Buffer.from('{}') };
      case 'gateway_503':
        return { status: 503, headers: {}, body: Buffer.alloc(0) };
      case 'garbage':
        return { status: 200, headers: { 'x-signature': 'AAAA' }, body: Buffer.from([0xff, 0xfe]) };
      case 'stale_answer':
        return stale ?? lost();
      case 'crash_before':
        return die();
      case 'crash_after':
        await http(request);
        return die();
      default:
        return fault satisfies never;
    }
  };
}
