import persistent from '@eventstore/db-client/generated/persistent_pb.js';
import type {
  CreateReq,
  CreateResp,
  DeleteReq,
  DeleteResp,
  GetInfoReq,
  GetInfoResp,
  ReadReq,
  ReplayParkedReq,
  ReplayParkedResp,
} from '@eventstore/db-client/generated/persistent_pb.js';
import type { handleUnaryCall, ServerDuplexStream } from '@grpc/grpc-js';
import { groupDropped, groupExists, groupMissing, handlerThrew } from '../calls/failure.ts';
import { readable, type Incoming } from '../calls/incoming.ts';
import { idText, nameOf } from '../calls/proposed.ts';
import type { EventLog } from '../log/event-log.ts';
import { persistentConfirmation } from '../reading/messages.ts';
import { Outlet } from '../reading/outlet.ts';
import { ALL } from './config.ts';
import { configOf } from './config-of-request.ts';
import type { Consumer, Group, NackAction } from './group.ts';
import type { Groups } from './groups.ts';
import { infoOf } from './info.ts';

interface Named {
  hasAll(): boolean;
  getStreamIdentifier(): { getStreamName_asU8(): Uint8Array } | undefined;
  getGroupName(): string;
}
const sourceOf = (options: Named): string => (options.hasAll() ? ALL : nameOf(options.getStreamIdentifier()));

export const create =
  (log: EventLog, groups: Groups): handleUnaryCall<Incoming<CreateReq>, CreateResp> =>
  ({ request }, answer) => {
    const config = configOf(log, readable(request)?.getOptions());
    if (config === undefined) return answer(handlerThrew());
    if (groups.get(config.source, config.group)) return answer(groupExists(config.source, config.group));
    groups.create(config, () => answer(null, new persistent.CreateResp()));
  };

/** A unary call on a group that has to be there. */
const onGroup =
  <Request extends { getOptions(): Named | undefined }, Response>(
    groups: Groups,
    act: (group: Group, done: (response: Response) => void) => void,
  ): handleUnaryCall<Incoming<Request>, Response> =>
  ({ request }, answer) => {
    const options = readable(request)?.getOptions();
    if (options === undefined) return answer(handlerThrew());
    const group = groups.get(sourceOf(options), options.getGroupName());
    if (group === undefined) return answer(groupMissing(sourceOf(options), options.getGroupName()));
    act(group, (response) => answer(null, response));
  };

export const remove = (groups: Groups) =>
  onGroup<DeleteReq, DeleteResp>(groups, (group, done) => groups.delete(group, () => done(new persistent.DeleteResp())));

export const getInfo = (groups: Groups) =>
  onGroup<GetInfoReq, GetInfoResp>(groups, (group, done) => done(new persistent.GetInfoResp().setSubscriptionInfo(infoOf(group))));

export const replayParked = (groups: Groups) =>
  onGroup<ReplayParkedReq, ReplayParkedResp>(groups, (group, done) => {
    group.replayParked();
    done(new persistent.ReplayParkedResp());
  });

/** A consumer: options first, then an ack or nack for each event it got. */
export const consume = (groups: Groups) => (call: ServerDuplexStream<Incoming<ReadReq>, Buffer>) => {
  const outlet = new Outlet(call);
  let group: Group | undefined;
  let consumer: Consumer | undefined;

  const start = (options: ReadReq.Options): void => {
    const source = sourceOf(options);
    const name = options.getGroupName();
    group = groups.get(source, name);
    if (group === undefined) return outlet.fail(groupMissing(source, name));
    outlet.push(persistentConfirmation(`${source}::${name}`));
    consumer = {
      slots: options.getBufferSize(),
      send: (message) => outlet.push(message),
      drop: () => outlet.fail(groupDropped(source, name)),
    };
    group.join(consumer);
  };
  const leave = (): void => {
    if (group !== undefined && consumer !== undefined) group.leave(consumer);
    consumer = undefined;
  };

  call.on('data', (incoming: Incoming<ReadReq>) => {
    const request = readable(incoming);
    const options = request?.getOptions();
    const ack = request?.getAck();
    const nack = request?.getNack();
    if (options && group === undefined) start(options);
    else if (ack) group?.ack(ack.getIdsList().map(idText));
    else if (nack) group?.nack(nack.getIdsList().map(idText), ACTIONS[nack.getAction()], nack.getReason());
    else outlet.fail(handlerThrew());
  });
  call.on('end', () => {
    leave();
    outlet.end();
  });
  outlet.onGone(leave);
};

/** In the order of the protocol: unknown, park, retry, skip, stop. */
const ACTIONS = { 0: 'retry', 1: 'park', 2: 'retry', 3: 'skip', 4: 'retry' } as const satisfies Record<number, NackAction>;
