// In a file of its own, so that tests without Kafka do not load its client.
export { createTopics } from '@svc/event-bus/kafka/topics';
