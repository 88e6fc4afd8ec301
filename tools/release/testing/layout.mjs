import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { pack } from 'tar-stream';

/**
 * Writes an image with nothing but an SBOM, for each architecture, as a build would.
 * @param {string} folder
 * @param {{ labels: Record<string, string>, architectures?: string[], sbom?: object }} options
 * @returns {Promise<string>} the digest of its index
 */
export async function writeLayout(folder, { labels, architectures = ['amd64', 'arm64'], sbom = SBOM }) {
  const blobs = join(folder, 'blobs/sha256');
  mkdirSync(blobs, { recursive: true });
  const blob = (mediaType, content) => {
    const bytes = Buffer.isBuffer(content) ? content : Buffer.from(JSON.stringify(content));
    const hash = createHash('sha256').update(bytes).digest('hex');
    writeFileSync(join(blobs, hash), bytes);
    return { mediaType, size: bytes.length, digest: `sha256:${hash}` };
  };
  const files = pack();
  files.entry({ name: 'app/sbom.cdx.json', mtime: new Date(0) }, JSON.stringify(sbom));
  files.finalize();
  const tar = await buffer(files);
  const layer = blob(`${OCI}.image.layer.v1.tar+gzip`, gzipSync(tar));
  const diff = `sha256:${createHash('sha256').update(tar).digest('hex')}`;
  const manifests = architectures.map((architecture) => {
    const rootfs = { type: 'layers', diff_ids: [diff] };
    const config = blob(`${OCI}.image.config.v1+json`, { architecture, os: 'linux', rootfs, config: { Labels: labels } });
    const mediaType = `${OCI}.image.manifest.v1+json`;
    return { ...blob(mediaType, { schemaVersion: 2, mediaType, config, layers: [layer] }), platform: { os: 'linux', architecture } };
  });
  const mediaType = `${OCI}.image.index.v1+json`;
  const index = blob(mediaType, { schemaVersion: 2, mediaType, manifests });
  writeFileSync(join(folder, 'index.json'), JSON.stringify({ schemaVersion: 2, mediaType, manifests: [index] }));
  writeFileSync(join(folder, 'oci-layout'), '{"imageLayoutVersion":"1.0.0"}');
  return index.digest;
}

const OCI = 'application/vnd.oci';
const SBOM = {
  bomFormat: 'CycloneDX',
  specVersion: '1.5',
  version: 1,
  components: [{ type: 'library', name: 'fastify', version: '5.12.5' }],
};
