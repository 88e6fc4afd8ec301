import type { IncomingHttpHeaders } from 'node:http';
import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import type { Dispatcher } from 'undici';
import { type GivenUp, type Patience, Watch } from './watch.ts';

/** The response of an upstream. A stream body is still being received; destroying it aborts the exchange. */
export interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  body: Buffer | Readable;
}

/** Outcome of one request to one replica. */
export type Outcome =
  | { kind: 'answered'; answer: Answer }
  /** Nothing of the request was sent. */
  | { kind: 'unreached'; error: Error }
  /** The connection broke before the response was complete: the request may have been executed. */
  | { kind: 'cut'; error: Error }
  /** `hung`: neither it nor another request was answered in time. `late`: it timed out. It may have been executed, or may be later. */
  | GivenUp
  /** The caller's connection closed. */
  | { kind: 'aborted' };

/** The caller's connection. */
export interface Client {
  gone: boolean;
  /** Called when it closes. */
  onGone?: (() => void) | undefined;
}

/** `gone` when the connection closes before the response is written. */
export function clientOf({ raw }: FastifyReply): Client {
  const client: Client = { gone: raw.destroyed };
  raw.once('close', () => {
    client.gone = !raw.writableFinished;
    if (client.gone) client.onGone?.();
  });
  return client;
}

const LATE = new Set(['UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT']);

/** Sends one request. Never rejects. A body of up to `maxBuffered` bytes is a Buffer, a larger one a stream. */
export function exchange(
  dispatcher: Dispatcher,
  options: Dispatcher.DispatchOptions,
  { maxBuffered, client, patience }: { maxBuffered: number; client: Client | undefined; patience: Patience },
): Promise<Outcome> {
  return new Promise((resolve) => {
    if (client?.gone) return resolve({ kind: 'aborted' });
    dispatcher.dispatch(options, new Exchange(resolve, maxBuffered, client, patience));
  });
}

class Exchange implements Dispatcher.DispatchHandler {
  private sent = false;
  private readonly watch: Watch;
  private controller: Dispatcher.DispatchController | undefined;
  private status = 0;
  private headers: IncomingHttpHeaders = {};
  private chunks: Buffer[] = [];
  private collected = 0;
  private stream: Readable | undefined;

  constructor(
    private readonly resolve: (outcome: Outcome) => void,
    private readonly maxBuffered: number,
    private readonly client: Client | undefined,
    patience: Patience,
  ) {
    if (client) client.onGone = () => this.abort();
    this.watch = new Watch(patience, (why) => {
      this.done();
      this.resolve(why);
      this.controller?.abort(why.error);
    });
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.sent = true;
    this.watch.sent();
    this.controller = controller;
    if (this.client?.gone) this.abort();
  }

  onResponseStart(controller: Dispatcher.DispatchController, status: number, headers: IncomingHttpHeaders): void {
    if (status < 200) return this.watch.sign();
    this.watch.over();
    this.status = status;
    this.headers = headers;
    if (Number(headers['content-length']) > this.maxBuffered) this.passOn(controller);
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.stream === undefined) {
      this.chunks.push(chunk);
      this.collected += chunk.length;
      if (this.collected > this.maxBuffered) this.passOn(controller);
    } else if (!this.stream.push(chunk)) controller.pause();
  }

  onResponseEnd(): void {
    this.done();
    const { status, headers, chunks } = this;
    if (this.stream !== undefined) this.stream.push(null);
    else
      this.resolve({
        kind: 'answered',
        answer: { status, headers, body: chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks) },
      });
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error & { code?: string }): void {
    this.done();
    if (this.stream !== undefined) this.stream.destroy(error);
    else if (LATE.has(error.code ?? '')) this.resolve({ kind: 'late', error });
    else this.resolve({ kind: this.sent ? 'cut' : 'unreached', error });
  }

  /** Resolves with a stream, which receives no faster than it is read. */
  private passOn(controller: Dispatcher.DispatchController): void {
    this.done();
    const stream = new Readable({
      read: () => controller.resume(),
      destroy: (error, done) => {
        if (!stream.readableEnded) controller.abort(error ?? new Error('the response is not read any more'));
        done(error);
      },
    });
    this.stream = stream;
    for (const chunk of this.chunks) stream.push(chunk);
    this.chunks = [];
    this.resolve({ kind: 'answered', answer: { status: this.status, headers: this.headers, body: stream } });
  }

  private abort(): void {
    this.done();
    this.resolve({ kind: 'aborted' });
    this.controller?.abort(new Error('the caller is gone'));
  }

  private done(): void {
    this.watch.over();
    if (this.client) this.client.onGone = undefined;
  }
}
