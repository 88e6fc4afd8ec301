import type { Http, HttpResponse } from '../../sending/http.ts';
import type { BothClocks } from './both-clocks.ts';

/** One call to an authority, as the calling process has seen it. */
export interface Call {
  body: string;
  /** By the caller's clock, in milliseconds since 1970; the same of the answer. */
  at: number;
  /** By how much that clock was ahead, in milliseconds. */
  wrongBy: number;
  /** It was set while the message may have been on its way: an earlier time in it is right, too. */
  isUnsure?: boolean;
  /** Of the process that made it, from 1. */
  life: number;
  /** Without: the process died before, or the connection broke. */
  answer?: { text: string; at: number };
  /** The connection was refused or broke. */
  broke?: true;
}

interface Written {
  calls: Call[];
  clocks: BothClocks;
  life: number;
  isDead(): boolean;
}

/** An `Http` whose calls are written down; what a dead process would get is not. */
export function writtenDown(http: Http, { calls, clocks: { clock, wrongBy, isJustSet }, life, isDead }: Written): Http {
  return async (request) => {
    const call: Call = { body: request.body ?? '', at: clock.now(), wrongBy: wrongBy(), isUnsure: isJustSet(), life };
    calls.push(call);
    let response: HttpResponse;
    try {
      response = await http(request);
    } catch (error) {
      if (!isDead()) call.broke = true;
      throw error;
    }
    if (!isDead()) call.answer = { text: response.body.toString('latin1'), at: clock.now() };
    return response;
  };
}
