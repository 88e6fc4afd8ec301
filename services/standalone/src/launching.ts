import 'reflect-metadata';

// What the start of the services as processes of their own shares with the one of a single process; a file of its own in the bundle.
export { holdFolder } from '@svc/embedded/folder-lock';
export { createTopics } from '@svc/event-bus/kafka/topics';
export { describeConfig } from '@svc/service-kit/config/describe-config';
export { ConfigError, loadConfig } from '@svc/service-kit/config/load-config';
export { ServicesConfig } from './config.ts';
export { loadSecrets } from './secrets.ts';
export { serviceSecrets } from './service-secrets.ts';
export { told } from './told.ts';
