// Checks without a driver whether a MongoDB server responds.
import { connect } from 'node:net';

const OP_MSG = 2013;

/** `{ hello: 1, $db: 'admin' }` as one OP_MSG. */
function helloMessage() {
  const text = (value) => Buffer.from(`${value}\0`);
  const int32 = (value) => Buffer.from(Int32Array.of(value).buffer);
  const fields = Buffer.concat([Buffer.of(0x10), text('hello'), int32(1), Buffer.of(0x02), text('$db'), int32(6), text('admin')]);
  const document = Buffer.concat([int32(fields.length + 5), fields, Buffer.of(0)]);
  const body = Buffer.concat([int32(0), Buffer.of(0), document]);
  return Buffer.concat([int32(body.length + 16), int32(1), int32(0), int32(OP_MSG), body]);
}

/** @param {string} address @param {number} port @returns {Promise<boolean>} */
export function mongoAnswers(address, port) {
  return new Promise((resolve) => {
    const socket = connect(port, address, () => socket.write(helloMessage()));
    const end = (answer) => {
      socket.destroy();
      resolve(answer);
    };
    socket.setTimeout(1000, () => end(false));
    socket.on('data', (data) => end(data.includes('isWritablePrimary')));
    socket.on('error', () => end(false));
    socket.on('close', () => resolve(false));
  });
}
