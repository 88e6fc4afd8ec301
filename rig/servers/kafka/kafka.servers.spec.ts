import { LONG, stopServersAfterEach, temporaryServers } from '../testing/temporary-servers.ts';
import { createTopic, read, send } from './testing/topic.ts';

stopServersAfterEach();

const broker = /^127\.0\.0\.1:\d+$/;

test(
  'loses nothing and continues when one of three brokers is killed and comes back',
  async () => {
    const { kafka } = await temporaryServers({ brokers: 3, only: ['kafka'] });
    expect(kafka.url.split(',')).toEqual([broker, broker, broker].map((form) => expect.stringMatching(form)));
    await createTopic(kafka.url, 'copied', 3);
    await send(kafka.url, 'copied', ['of three']);
    await kafka.brokers[1]?.kill9();
    await send(kafka.url, 'copied', ['of two']);
    await kafka.brokers[1]?.start();
    await Promise.all(kafka.brokers.map((each) => each.ready()));
    expect(await read(kafka.url, 'copied', 2)).toEqual(['of three', 'of two']);
  },
  LONG,
);
