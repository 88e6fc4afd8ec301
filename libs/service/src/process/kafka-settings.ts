import { applyDecorators } from '@nestjs/common';
import { ValidateBy } from 'class-validator';
import { saslMechanisms, type Cluster, type SaslMechanism } from '@svc/event-bus/kafka/cluster';
import { IsFlag, IsOneOf, IsOptional, IsText } from '../config/rules.ts';
import { IsCertificateFile } from '../config/server-rules.ts';
import { Setting } from '../config/setting.ts';
import { tlsOf } from './server-address.ts';

/** How a process connects to Kafka; `KAFKA_BROKERS` is each config's own. */
export interface KafkaSettings {
  KAFKA_TLS: boolean;
  KAFKA_TLS_CA_FILE?: string;
  KAFKA_SASL_MECHANISM?: SaslMechanism;
  KAFKA_USERNAME?: string;
  KAFKA_PASSWORD?: string;
}

/** A rule about a setting that is given: what the others must be. */
const GoesWith = (others: string, hold: (settings: KafkaSettings) => boolean): PropertyDecorator =>
  ValidateBy({
    name: others,
    validator: { validate: (_value, about) => hold(about?.object as KafkaSettings), defaultMessage: () => others },
  }) as PropertyDecorator;

const IsCredential = (): PropertyDecorator =>
  applyDecorators(
    IsOptional(),
    IsText(),
    GoesWith('used with KAFKA_SASL_MECHANISM', ({ KAFKA_SASL_MECHANISM }) => KAFKA_SASL_MECHANISM !== undefined),
  ) as PropertyDecorator;

/** The config class with these settings after its own. */
export function withKafkaSettings<T extends object>(config: new () => T): new () => T & KafkaSettings {
  class Config extends (config as new () => object) implements KafkaSettings {
    @Setting({ description: 'whether the brokers of Kafka speak TLS', default: false })
    @IsFlag()
    KAFKA_TLS: boolean;

    @Setting({ description: 'PEM file of the authorities that signed the brokers’ certificates, where Node does not know them' })
    @IsOptional()
    @IsCertificateFile()
    @GoesWith('used with KAFKA_TLS=true', ({ KAFKA_TLS }) => KAFKA_TLS)
    KAFKA_TLS_CA_FILE?: string;

    @Setting({ description: `how Kafka checks the user, by SASL: ${saslMechanisms.join(', ')}` })
    @IsOptional()
    @IsOneOf(saslMechanisms)
    @GoesWith('used with KAFKA_USERNAME and KAFKA_PASSWORD', (it) => Boolean(it.KAFKA_USERNAME && it.KAFKA_PASSWORD))
    @GoesWith(
      'another one, or used with KAFKA_TLS=true: plain sends the password as it is',
      ({ KAFKA_SASL_MECHANISM, KAFKA_TLS }) => KAFKA_SASL_MECHANISM !== 'plain' || KAFKA_TLS,
    )
    KAFKA_SASL_MECHANISM?: SaslMechanism;

    @Setting({ description: 'the user at Kafka' })
    @IsCredential()
    KAFKA_USERNAME?: string;

    @Setting({ description: 'the user’s password', secret: true })
    @IsCredential()
    KAFKA_PASSWORD?: string;
  }
  return Config as new () => T & KafkaSettings;
}

/** The cluster of valid settings. */
export function clusterOf(settings: KafkaSettings & { KAFKA_BROKERS: string[] }): Cluster {
  const { KAFKA_BROKERS: brokers, KAFKA_TLS, KAFKA_TLS_CA_FILE: file, KAFKA_SASL_MECHANISM: mechanism } = settings;
  const { KAFKA_USERNAME: username = '', KAFKA_PASSWORD: password = '' } = settings;
  return {
    brokers,
    tls: tlsOf(KAFKA_TLS, file),
    sasl: mechanism && { mechanism, username, password },
  };
}
