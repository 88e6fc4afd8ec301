const MOST_BYTES = 1024;
/** Control characters but tab and line breaks, and those that turn the direction of what stands around them. */
const HARMFUL = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;

/** The beginning of an answer as text: at most 1 KiB of UTF-8, whole characters, nothing that changes how a page or terminal shows the rest. */
export function shownText(bytes: Buffer): string {
  if (bytes.length === 0) return '';
  const text = new TextDecoder().decode(bytes.subarray(0, MOST_BYTES), { stream: true }).replace(HARMFUL, '');
  if (text.length * 3 <= MOST_BYTES) return text;
  const { read } = new TextEncoder().encodeInto(text, new Uint8Array(MOST_BYTES));
  return text.slice(0, read);
}
