// The lower bound of a delivery's cost: signed, sent, its answer read, nothing recorded.
import { body, deliver, IN_FLIGHT, serve } from './sending.mjs';

serve((count) => {
  let left = count;
  const worker = async () => {
    while (left-- > 0) await deliver(body);
  };
  return Promise.all(Array.from({ length: IN_FLIGHT }, worker));
});
