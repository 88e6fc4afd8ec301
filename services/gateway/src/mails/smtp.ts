import { createTransport } from 'nodemailer';

export interface Smtp {
  /** `smtp://user:password@host:587` or `smtps://…`. */
  url: string;
  /** `Invoicing <no-reply@example.com>` */
  from: string;
}

export interface Message {
  to: string;
  subject: string;
  text: string;
  /** The same for each repeat, so that a mailbox shows one. */
  id: string;
}

/** A server that stands still holds a mail no longer than this, in milliseconds. */
const WAITS = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 20_000 };

/** Sends a mail as plain text. Rejects where the server does not take it; the message never has the password. */
export async function sendMail({ url, from }: Smtp, { to, subject, text, id }: Message): Promise<void> {
  const transport = createTransport({ url, ...WAITS, disableFileAccess: true, disableUrlAccess: true });
  try {
    await transport.sendMail({
      from,
      to,
      subject,
      text,
      messageId: `<${id}@${hostOf(from)}>`,
      headers: { 'Auto-Submitted': 'auto-generated' },
    });
  } finally {
    transport.close();
  }
}

const hostOf = (from: string): string => /@([^@>\s]+)>?$/.exec(from)?.[1] ?? 'localhost';
