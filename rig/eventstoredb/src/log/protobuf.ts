/** The part of protobuf's wire format that events need. Numbers are doubles: positions and revisions stay far below 2^53. */

/** 2^63 - 1 on the wire, the only larger number; 2^63 as a double. */
export const LARGEST = 2 ** 63;
const LARGEST_BYTES = Buffer.from('ffffffffffffffff7f', 'hex');

function varint(value: number): Buffer {
  if (value < 128) return Buffer.from([value]);
  if (value === LARGEST) return LARGEST_BYTES;
  const bytes: number[] = [];
  let rest = value;
  for (; rest > 127; rest = Math.floor(rest / 128)) bytes.push((rest % 128) | 128);
  bytes.push(rest);
  return Buffer.from(bytes);
}

/** A length-delimited field. */
export function field(number: number, ...parts: Uint8Array[]): Buffer {
  const size = parts.reduce((sum, part) => sum + part.length, 0);
  return Buffer.concat([Buffer.from([number * 8 + 2]), varint(size), ...parts]);
}

/** A varint field. */
export const numberField = (number: number, value: number): Buffer => Buffer.concat([Buffer.from([number * 8]), varint(value)]);

/** Reads, front to back, what the functions above wrote. */
export class Reader {
  private at = 0;

  constructor(private readonly bytes: Buffer) {}

  more(): boolean {
    return this.at < this.bytes.length;
  }

  /** The number of the next field. */
  field(): number {
    return this.varint() >>> 3;
  }

  varint(): number {
    let value = 0;
    for (let scale = 1; ; scale *= 128) {
      const byte = this.bytes[this.at++] ?? 0;
      value += (byte & 127) * scale;
      if (byte < 128) return value;
    }
  }

  value(): Buffer {
    const size = this.varint();
    this.at += size;
    return this.bytes.subarray(this.at - size, this.at);
  }

  text(): string {
    const size = this.varint();
    this.at += size;
    return this.bytes.toString('utf8', this.at - size, this.at);
  }

  /** Enters the message that is the field's value, up to the value of its first field. */
  enter(): void {
    this.varint();
    this.varint();
  }
}
