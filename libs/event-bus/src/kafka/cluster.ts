export const saslMechanisms = ['plain', 'scram-sha-256', 'scram-sha-512'] as const;
export type SaslMechanism = (typeof saslMechanisms)[number];

export interface Cluster {
  /** `host:port` of each. */
  brokers: string[];
  /** The brokers speak TLS, with certificates by the authorities in `ca` (PEM), or by those that Node knows. */
  tls?: { ca?: string | undefined } | undefined;
  sasl?: { mechanism: SaslMechanism; username: string; password: string } | undefined;
}
