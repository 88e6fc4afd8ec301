// An image in a folder, as `docker buildx build --output type=oci,tar=false` writes it: one index of an image for each architecture.
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';
import { extract } from 'tar-stream';

const INDEX = /^application\/vnd\.(oci\.image\.index|docker\.distribution\.manifest\.list)\b/;
/** What cosign writes an index by. */
const KIND = { kind: 'dev.cosignproject.cosign/imageIndex' };

/**
 * `digest`: of the index; `images`: by architecture, such as linux/arm64, with the labels and the text of a file of each.
 * @typedef {{ digest: string, images: Record<string, { labels: Record<string, string>, file: string }> }} Layout
 *
 * Reads one, and makes it what cosign can push. `path`: of the file, from the root of the image. Throws on a folder that is none, or an image without the file.
 * @returns {Promise<Layout>}
 */
export async function readLayout(/** @type {string} */ folder, /** @type {string} */ path) {
  const top = JSON.parse(readFileSync(join(folder, 'index.json'), 'utf8'));
  const [descriptor, ...more] = top.manifests;
  if (more.length > 0 || !INDEX.test(descriptor?.mediaType))
    throw new Error(`${folder} holds no index of several architectures: build it with --platform, as docs/releasing.md says`);
  writeFileSync(join(folder, 'index.json'), JSON.stringify({ ...top, manifests: [{ ...descriptor, annotations: KIND }] }));
  const images = {};
  for (const { digest, platform } of json(folder, descriptor.digest).manifests) {
    // What Docker attaches for itself.
    if (platform.os === 'unknown') continue;
    const { config, layers } = json(folder, digest);
    const labels = json(folder, config.digest).config.Labels ?? {};
    images[`${platform.os}/${platform.architecture}`] = { labels, file: await fileIn(folder, layers, path) };
  }
  return { digest: descriptor.digest, images };
}

const json = (folder, digest) => JSON.parse(blob(folder, digest).toString('utf8'));

function blob(folder, digest) {
  const bytes = readFileSync(join(folder, 'blobs', digest.replace(':', '/')));
  if (`sha256:${createHash('sha256').update(bytes).digest('hex')}` !== digest) throw new Error(`${folder}: ${digest} has other bytes`);
  return bytes;
}

/** The last layer that has the file counts. */
async function fileIn(folder, layers, path) {
  for (const { digest, mediaType } of layers.toReversed()) {
    const bytes = blob(folder, digest);
    const reader = extract();
    reader.end(/gzip$/.test(mediaType) ? gunzipSync(bytes) : bytes);
    for await (const entry of reader) {
      if (entry.header.name.replace(/^\.?\//, '') === path) return (await buffer(entry)).toString('utf8');
      entry.resume();
    }
  }
  throw new Error(`${folder}: an image has no /${path}`);
}
