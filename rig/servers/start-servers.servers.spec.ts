import { EventStoreDBClient, jsonEvent, NO_STREAM } from '@eventstore/db-client';
import { MongoClient } from 'mongodb';
import { createTopic, read, send } from './kafka/testing/topic.ts';
import { LONG, stopServersAfterEach, temporaryServers } from './testing/temporary-servers.ts';

stopServersAfterEach();

test(
  'listens on the given address, advertises it to clients, and keeps acknowledged writes after kill -9 of each server',
  async () => {
    const { kafka, mongo, eventStore, env } = await temporaryServers({ address: '127.0.0.2' });
    for (const url of Object.values(env)) expect(url).toContain('127.0.0.2:');
    expect(env).toEqual({ KAFKA_BROKERS: kafka.url, MONGODB_URL: mongo.url, EVENT_STORE_URL: eventStore.url });

    await createTopic(kafka.url, 'notes', 1);
    await send(kafka.url, 'notes', ['first', 'second']);
    const documents = await MongoClient.connect(mongo.url);
    await documents.db('spec').collection<{ _id: string }>('notes').insertOne({ _id: 'first' });
    const streams = EventStoreDBClient.connectionString(eventStore.url);
    await streams.appendToStream('notes-1', jsonEvent({ type: 'Noted', data: { text: 'first' } }), { expectedRevision: NO_STREAM });
    await streams.dispose();

    for (const server of [kafka, mongo, eventStore]) {
      const before = server.pid;
      await server.kill9();
      expect(server.pid).toBeUndefined();
      await server.start();
      expect(server.pid).not.toBe(before);
    }

    expect(await read(kafka.url, 'notes', 2)).toEqual(['first', 'second']);
    expect(await documents.db('spec').collection('notes').find().toArray()).toEqual([{ _id: 'first' }]);
    await documents.close();
    const again = EventStoreDBClient.connectionString(eventStore.url);
    const events = [];
    for await (const { event } of again.readStream('notes-1')) events.push(event?.data);
    expect(events).toEqual([{ text: 'first' }]);
    await again.dispose();
  },
  LONG,
);

test(
  'does not respond while it is paused, and continues afterwards',
  async () => {
    const { kafka, mongo, eventStore } = await temporaryServers();
    for (const server of [...kafka.brokers, mongo, eventStore]) {
      const before = server.pid;
      await server.pause();
      expect(await server.answers()).toBe(false);
      await server.resume();
      await server.ready();
      expect(server.pid).toBe(before);
    }
  },
  LONG,
);
