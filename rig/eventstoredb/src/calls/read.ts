import type { ReadReq } from '@eventstore/db-client/generated/streams_pb.js';
import { status, type ServerWritableStream } from '@grpc/grpc-js';
import type { EventLog } from '../log/event-log.ts';
import { filterOf } from '../reading/filter.ts';
import { asStored, withLinks } from '../reading/link.ts';
import { Outlet } from '../reading/outlet.ts';
import { readAll } from '../reading/read-all.ts';
import { readStream } from '../reading/read-stream.ts';
import { subscribeAll } from '../subscriptions/subscribe-all.ts';
import { subscribeStream } from '../subscriptions/subscribe-stream.ts';
import { Failure, handlerThrew } from './failure.ts';
import { readable, type Incoming } from './incoming.ts';

type Call = ServerWritableStream<Incoming<ReadReq>, Buffer>;

/** Reads and subscriptions of a stream and of $all: the protocol has one call for them all. */
export function read(log: EventLog): (call: Call) => void {
  return (call) => {
    const outlet = new Outlet(call);
    const options = readable(call.request)?.getOptions();
    if (options === undefined) return outlet.fail(handlerThrew());
    // EventStoreDB never responds to a request without an id format.
    if (!options.hasUuidOption()) return;
    serve(log, options, outlet).catch((error: unknown) => outlet.fail(error instanceof Failure ? error : handlerThrew()));
  };
}

async function serve(log: EventLog, options: ReadReq.Options, outlet: Outlet): Promise<void> {
  const all = options.getAll();
  const stream = options.getStream();
  const backwards = options.getReadDirection() === 1;
  const wanted = options.getFilter();
  if ((wanted && stream) || (backwards && options.hasSubscription()) || (!all && !stream)) throw invalidCombination(options);
  if (wanted && !wanted.hasMax() && !wanted.hasCount()) throw invalidCombination(options);
  if (wanted?.getCheckpointintervalmultiplier() === 0) throw handlerThrew();

  const render = options.getResolveLinks() ? withLinks(log) : asStored;
  const filter = wanted && filterOf(wanted);
  const count = Number(options.getCount());
  const sendLast = options.getControlOption()?.getCompatibility() === 1;
  if (options.hasSubscription()) {
    if (all) return subscribeAll(log, all, filter, render, outlet);
    if (stream) return subscribeStream(log, stream, render, outlet);
  }
  if (all) return readAll(log, { from: all, backwards, count, filter, render }, outlet);
  if (stream) return readStream(log, { from: stream, backwards, count, render, sendLast }, outlet);
}

function invalidCombination(options: ReadReq.Options): Failure {
  const parts = [
    options.hasStream() ? 'Stream' : options.hasAll() ? 'All' : 'None',
    options.hasSubscription() ? 'Subscription' : 'Count',
    options.getReadDirection() === 1 ? 'Backwards' : 'Forwards',
    options.hasFilter() ? 'Filter' : 'NoFilter',
  ];
  return new Failure(status.INVALID_ARGUMENT, `The combination of (${parts.join(', ')}) is invalid.`);
}
