import { createServer, type Server } from 'node:net';

/** A mail server that keeps what it is sent, or refuses it. */
export class MailServer {
  /** Each with its headers. */
  readonly received: string[] = [];
  isRefusing = false;
  /** An address that it refuses alone. */
  refused: string | undefined;
  private constructor(private readonly server: Server) {}

  static async start(): Promise<MailServer> {
    const server = createServer();
    const mails = new MailServer(server);
    server.on('connection', (socket) => {
      let text = '';
      let inData = false;
      socket.on('error', () => undefined);
      socket.write('220 test ESMTP\r\n');
      socket.on('data', (chunk) => {
        text += chunk.toString('utf8');
        for (;;) {
          const end = text.indexOf(inData ? '\r\n.\r\n' : '\r\n');
          if (end < 0) return;
          const line = text.slice(0, end);
          text = text.slice(end + (inData ? 5 : 2));
          if (inData) {
            mails.received.push(line);
            inData = false;
            socket.write('250 ok\r\n');
          } else if (/^DATA/i.test(line)) {
            inData = true;
            socket.write('354 go on\r\n');
          } else if (/^MAIL/i.test(line) && mails.isRefusing) socket.write('451 try again later\r\n');
          else if (/^RCPT/i.test(line) && mails.refused !== undefined && line.includes(mails.refused)) socket.write('550 no such user\r\n');
          else if (/^QUIT/i.test(line)) socket.end('221 bye\r\n');
          else socket.write('250 ok\r\n');
        }
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return mails;
  }

  get url(): string {
    return `smtp://127.0.0.1:${(this.server.address() as { port: number }).port}`;
  }

  stop(): Promise<void> {
    return new Promise((resolve) => void this.server.close(() => resolve()));
  }
}
