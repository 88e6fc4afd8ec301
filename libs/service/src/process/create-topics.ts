import 'reflect-metadata';
import { describeConfig } from '../config/describe-config.ts';
import { ConfigError, loadConfig } from '../config/load-config.ts';
import { IsAddresses, IsCount, IsNamespace, IsOptional, IsSome } from '../config/rules.ts';
import { Setting } from '../config/setting.ts';
import { clusterOf, withKafkaSettings } from './kafka-settings.ts';
import { topics, type Topic } from '@svc/contracts/events/envelope';
import { createTopics } from '@svc/event-bus/kafka/topics';

class Brokers {
  @Setting({ description: 'the brokers of Kafka' })
  @IsAddresses()
  KAFKA_BROKERS: string[];
}

class TopicsConfig extends withKafkaSettings(Brokers) {
  @Setting({ description: 'what the names of the topics begin with, where several systems share a cluster', default: '' })
  @IsNamespace()
  NAMESPACE: string;

  @Setting({ description: 'the topics to create, all by default' })
  @IsOptional()
  @IsSome(Object.values(topics))
  TOPICS?: Topic[];

  @Setting({ description: 'how many brokers hold each topic; three, or all where there are fewer' })
  @IsOptional()
  @IsCount(1, 9)
  TOPIC_REPLICAS?: number;
}

try {
  if (process.argv.includes('--help')) console.log(`Creates the topics that are missing.\n\n${describeConfig(TopicsConfig)}`);
  else {
    const config = loadConfig(TopicsConfig, process.env);
    const { NAMESPACE: namespace, TOPIC_REPLICAS: replicas, TOPICS: only } = config;
    const { created, different } = await createTopics({ ...clusterOf(config), namespace, replicas, only });
    for (const topic of created) console.log(`created ${topic}`);
    for (const difference of different) console.warn(difference);
    if (created.length === 0) console.log('all topics are there');
  }
} catch (error) {
  console.error(error instanceof ConfigError ? error.message : `Topics were not created: ${String(error)}`);
  process.exitCode = 1;
}
