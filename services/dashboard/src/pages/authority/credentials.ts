export const credentialsKey = (env: string): readonly string[] => [env, 'fiscal-credentials'];

const CHUNK = 0x8000;

/** A file as base64. */
export async function base64Of(file: Blob): Promise<string> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  let text = '';
  for (let from = 0; from < bytes.length; from += CHUNK) text += String.fromCharCode(...bytes.subarray(from, from + CHUNK));
  return btoa(text);
}
