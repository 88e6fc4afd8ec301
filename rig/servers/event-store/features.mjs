// Checks without a client library whether an EventStoreDB responds, by the first call of every client.
import { connect } from 'node:http2';

const METHOD = '/event_store.client.server_features.ServerFeatures/GetSupportedMethods';
const EMPTY_MESSAGE = Buffer.alloc(5);

/** @param {string} address @param {number} port @returns {Promise<boolean>} */
export function eventStoreAnswers(address, port) {
  return new Promise((resolve) => {
    const session = connect(`http://${address}:${port}`);
    const end = (answer) => {
      session.destroy();
      resolve(answer);
    };
    session.on('error', () => end(false));
    session.setTimeout(1000, () => end(false));
    const call = session.request({ ':method': 'POST', ':path': METHOD, 'content-type': 'application/grpc', te: 'trailers' });
    call.on('error', () => end(false));
    call.on('trailers', (trailers) => end(trailers['grpc-status'] === '0'));
    call.on('close', () => end(false));
    call.resume();
    call.end(EMPTY_MESSAGE);
  });
}
