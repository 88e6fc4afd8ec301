/** Whom a connection trusts, and as whom it is made. */
export interface Tls {
  /** Certificates, in PEM, of those who may have issued the server's: no others are accepted. Absent: as the machine trusts. */
  anchors?: readonly string[];
  /** Key and certificate in PEM. `account`: for which it is shown. */
  client?: { account: string; key: string; certificate: string };
}
