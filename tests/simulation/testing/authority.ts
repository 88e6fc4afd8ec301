import { answering, Ledger, type Answer } from '@svc/authority-simulator';
import { NotSent, type Http, type HttpRequest, type HttpResponse } from '@svc/fiscal-submission';
import type { Clock } from '@svc/kernel';
import { isInjected, never, type FaultInjection, type Journal } from '@svc/testkit/simulation/index';

/** The sandbox authority, whose ledger outlives every calling process. */
export interface Authority {
  ledger: Ledger;
  ask(request: HttpRequest): Promise<Answer>;
}

export function openAuthority(clock: Clock, journal: Journal): Authority {
  const ledger = new Ledger(':memory:', { sync: null });
  const answer = answering(ledger, clock);
  return {
    ledger,
    async ask({ method, url, headers, body = '' }) {
      const { pathname, search } = new URL(url);
      const answered = await answer({ method, path: pathname + search, headers, body });
      const about = search || String(/\\"document_number\\":\\"[^"]*\\"|"document_number":"[^"]*"/.exec(body));
      journal.note('authority', `${method} ${pathname} ${about} ${answered.dropped ? 'dropped' : answered.status}`);
      return answered;
    },
  };
}

/** Longer than a call may take, so a late request arrives after the call was given up. */
const LATEST_MS = 25_000;

/**
 * The network to the authority: requests are lost, late or duplicated, responses are lost. A sent request arrives also when its sender has
 * crashed.
 */
export function networkTo({ ask }: Authority, chance: number, injection: FaultInjection): Http {
  const { lifetime, network, random, crashesAt } = injection;
  const arriveLater = (request: HttpRequest): void =>
    void network.after(random.between(1, LATEST_MS), () => void ask(request).catch(() => undefined));

  return async (request) => {
    if (crashesAt('authority not asked')) return never();
    const silence = async (): Promise<never> => {
      await lifetime.clock.sleep(random.chance(0.5) ? request.deadlineMs : random.between(1, 500));
      throw new Error('no answer');
    };
    // A scripted fault counts its calls, so each must arrive once.
    const isScripted = 'x-simulate' in request.headers;
    if (isInjected(injection, chance)) throw new NotSent('the authority cannot be reached');
    if (isInjected(injection, chance)) return silence();
    if (isInjected(injection, chance) && !isScripted) {
      arriveLater(request);
      return silence();
    }
    if (isInjected(injection, chance) && !isScripted) arriveLater(request);
    await lifetime.clock.sleep(random.between(1, 300));
    const answer = await ask(request);
    if (crashesAt('authority answered')) return never();
    if (answer.dropped || isInjected(injection, chance)) return silence();
    await lifetime.clock.sleep(random.between(1, 300));
    return responseOf(answer);
  };
}

const responseOf = ({ status, headers, body }: Exclude<Answer, { dropped: true }>): HttpResponse => ({ status, headers, body });
