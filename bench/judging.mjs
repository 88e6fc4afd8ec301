// The maximum processor time for parsing and validating a request body: for each schema the slowest of the bodies that are built against it,
// each of the maximum size of the route.
import { routeNames, routes } from '@svc/contracts/routes';
import { ajvOfAll } from '@svc/contracts/schema/ajv';
import { schemaOf } from '@svc/contracts/schema/json-schema';
import { parseBody } from '@svc/service/boot/request';
import { bodyCheck } from '@svc/service/routing/checks';
import { worstBodies } from '../libs/service/src/routing/testing/worst-bodies.ts';

/** Goal: maximum processor time in ms. */
const GOAL = 100;
const ROUNDS = 5;

export async function run() {
  const shapes = new Map(routeNames.flatMap((name) => (routes[name].body ? [[routes[name].body, routes[name].bodyLimit]] : [])));
  return [...shapes].map(([shape, limit]) => {
    const holds = (schema, value) => ajvOfAll().validate(schema, value);
    const [kind, value] = worstBodies(schemaOf(shape), holds)
      .map(({ kind, json }) => [kind, costOf(shape, Buffer.from(json(limit)))])
      .reduce((worst, one) => (one[1] > worst[1] ? one : worst));
    return { figure: `${shape.name} ${limit / 1024} KiB, ms`, value, goal: GOAL, ok: value <= GOAL, worst: kind };
  });
}

/** The minimum of some rounds if the first is near the goal, because other programs use the processor too. */
function costOf(shape, bytes) {
  const check = bodyCheck(shape);
  const once = () => {
    const begun = process.cpuUsage();
    try {
      check(parseBody(bytes));
    } catch (error) {
      if (error.name !== 'DomainError') throw error;
    }
    const { user, system } = process.cpuUsage(begun);
    return (user + system) / 1000;
  };
  const first = once();
  return first < GOAL / 2 ? first : Math.min(first, ...Array.from({ length: ROUNDS }, once));
}
