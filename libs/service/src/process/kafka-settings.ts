import { applyDecorators } from '@nestjs/common';
import { ValidateBy } from 'class-validator';
import { saslMechanisms, type Cluster, type SaslMechanism } from '@svc/event-bus/kafka/cluster';
import { IsFlag, IsOneOf, IsOptional, IsCertificateFile, IsText } from '../config/rules.ts';
import { Setting } from '../config/setting.ts';
import { tlsOf } from './server-address.ts';

/** What the settings of this file say; `KAFKA_BROKERS` is each class's own. */
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

export const KafkaTls = (): PropertyDecorator =>
  applyDecorators(Setting({ description: 'whether the brokers of Kafka speak TLS', default: false }), IsFlag()) as PropertyDecorator;

export const KafkaTlsCaFile = (): PropertyDecorator =>
  applyDecorators(
    Setting({ description: 'PEM file of the authorities that signed the brokers’ certificates, where Node does not know them' }),
    IsOptional(),
    IsCertificateFile(),
    GoesWith('used with KAFKA_TLS=true', ({ KAFKA_TLS }) => KAFKA_TLS),
  ) as PropertyDecorator;

export const KafkaSaslMechanism = (): PropertyDecorator =>
  applyDecorators(
    Setting({ description: `how Kafka checks the user, by SASL: ${saslMechanisms.join(', ')}` }),
    IsOptional(),
    IsOneOf(saslMechanisms),
    GoesWith('used with KAFKA_USERNAME and KAFKA_PASSWORD', (it) => Boolean(it.KAFKA_USERNAME && it.KAFKA_PASSWORD)),
    GoesWith(
      'another one, or used with KAFKA_TLS=true: plain sends the password as it is',
      ({ KAFKA_SASL_MECHANISM, KAFKA_TLS }) => KAFKA_SASL_MECHANISM !== 'plain' || KAFKA_TLS,
    ),
  ) as PropertyDecorator;

const Credential = (description: string, secret?: true): PropertyDecorator =>
  applyDecorators(
    Setting({ description, ...(secret && { secret }) }),
    IsOptional(),
    IsText(),
    GoesWith('used with KAFKA_SASL_MECHANISM', ({ KAFKA_SASL_MECHANISM }) => KAFKA_SASL_MECHANISM !== undefined),
  ) as PropertyDecorator;
export const KafkaUsername = (): PropertyDecorator => Credential('the user at Kafka');
export const KafkaPassword = (): PropertyDecorator => Credential('the user’s password', true);

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
