// Reads a Kafka broker's cluster metadata without a client library; a broker responds only when it serves requests.
import { connect } from 'node:net';

const METADATA = 3;
const VERSION = 1;

/** A Metadata request, version 1, for no topic. */
function request() {
  const clientId = Buffer.from('ready');
  const message = Buffer.alloc(14 + clientId.length + 4);
  message.writeInt32BE(message.length - 4, 0);
  message.writeInt16BE(METADATA, 4);
  message.writeInt16BE(VERSION, 6);
  message.writeInt32BE(1, 8);
  message.writeInt16BE(clientId.length, 12);
  clientId.copy(message, 14);
  return message;
}

/** Size, correlation id, then an array of brokers {id, host, port, rack}, then the controller's id. */
function parse(message) {
  let at = 8;
  const int32 = () => {
    at += 4;
    return message.readInt32BE(at - 4);
  };
  const skipText = () => {
    const length = message.readInt16BE(at); // -1: null
    at += 2 + Math.max(length, 0);
  };
  const brokers = Array.from({ length: int32() }, () => {
    const id = int32();
    skipText();
    int32();
    skipText();
    return id;
  });
  return { brokers, controller: int32() };
}

/**
 * The brokers that live, as the one on this port sees them, and the controller's id (-1: none known). Undefined: no answer.
 *
 * @param {string} address
 * @param {number} port
 * @returns {Promise<{ brokers: number[], controller: number } | undefined>}
 */
export function metadataOf(address, port) {
  return new Promise((resolve) => {
    let received = Buffer.alloc(0);
    const socket = connect(port, address, () => socket.write(request()));
    const end = (answer) => {
      socket.destroy();
      resolve(answer);
    };
    socket.setTimeout(1000, () => end(undefined));
    socket.on('data', (data) => {
      received = Buffer.concat([received, data]);
      if (received.length >= 4 && received.length >= 4 + received.readInt32BE(0)) end(parse(received));
    });
    socket.on('error', () => end(undefined));
    socket.on('close', () => resolve(undefined));
  });
}
