// Checks an evidence bundle offline: `node verify.mjs`, in the folder of the bundle, or `node verify.mjs <zip or folder>`. Node 18 or later, without packages.
// Exits with 1 where something does not hold, with 2 where there is no bundle. README.txt names the same checks for other programs.
import { createHash, verify } from 'node:crypto';
import { realpathSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { allNamed, attributeOf, certificatesIn, elementsIn, localName, parseXml, signaturesIn, textOf } from './verify-xml.mjs';
import { filesIn } from './verify-zip.mjs';

const MANIFEST = 'manifest.json';
const sha256 = (bytes) => createHash('sha256').update(bytes).digest('hex');
const holds = (what, problem) => ({ ok: problem === null, what: problem === null ? what : `${what}: ${problem}` });
const unproved = (what) => ({ ok: null, what });

/**
 * @param {Map<string, Buffer>} files of the bundle, by name
 * @returns {{ ok: boolean | null, what: string }[]} null: it cannot be judged by what is in the bundle
 */
export function verifyEvidence(files) {
  const text = files.get(MANIFEST);
  if (!text) throw new Error(`There is no ${MANIFEST}: this is no evidence bundle.`);
  const manifest = JSON.parse(text.toString());
  if (manifest.object !== 'evidence') throw new Error(`${MANIFEST} is not of an evidence bundle.`);
  return [
    ...ofFiles(manifest, files),
    ...manifest.attempts.flatMap((attempt) => ofAttempt(attempt, files)),
    ...manifest.records.flatMap((record) => ofRecord(record, manifest, files)),
    ...ofRegistration(manifest, files),
  ];
}

function ofFiles({ files: listed }, files) {
  const names = new Set(listed.map(({ name }) => name));
  const added = [...files.keys()].filter((name) => name !== MANIFEST && !names.has(name));
  return [
    ...listed.map(({ name, bytes, sha256: expected }) => {
      const file = files.get(name);
      const isAsListed = file !== undefined && file.length === bytes && sha256(file) === expected;
      return holds(`${name} is as ${MANIFEST} lists it`, isAsListed ? null : file ? 'it was changed' : 'it is missing');
    }),
    ...added.map((name) => holds(`${name} is in ${MANIFEST}`, 'it is not')),
  ];
}

function ofAttempt({ n, request, response, error }, files) {
  const of = (direction, { file, sha256: expected, trusted = true }) => {
    const what = `${direction} ${n} has the bytes whose hash was stored when it was made`;
    if (file === null) return [unproved(`${direction} ${n} is not kept; its SHA-256 is ${expected}`)];
    const bytes = files.get(file);
    return [
      holds(what, bytes && sha256(bytes) === expected ? null : 'they differ'),
      ...(bytes && trusted ? ofSignatures(file, bytes.toString()) : []),
      ...(trusted ? [] : [unproved(`${direction} ${n} was not trusted when it came: ${error ? error.message : 'it proves nothing'}`)]),
    ];
  };
  return [...of('request', request), ...(response ? of('response', response) : [])];
}

const isXml = (text) => text.trimStart().startsWith('<');

function ofSignatures(file, text) {
  if (!isXml(text)) return [];
  try {
    return signaturesIn(parseXml(text)).map(({ of, subject, problem }) => holds(`${file}: the signature of ${of} by ${subject}`, problem));
  } catch (error) {
    return [unproved(`${file} cannot be read as XML: ${error.message}`)];
  }
}

const named = {
  register: (round) => `the record of round ${round}`,
  amend: (n) => `the record of amendment ${n}`,
  cancel: () => 'the cancellation',
};
/** Which attempts have sent it. */
const sentOf = {
  register: (round) => (one) => one.kind === 'submit' && one.round === round && one.amendment === undefined,
  amend: (n) => (one) => one.kind === 'submit' && one.amendment === n,
  // Bundles of release 0.2.0 do not name the cancellation.
  cancel: (round) => (one) => one.kind === 'cancel' && (one.cancellation === undefined || one.cancellation === round),
};

function ofRecord({ operation, round, file, sha256: expected, issuer_code, chain }, { attempts }, files) {
  const what = named[operation](round);
  const bytes = files.get(file);
  if (!bytes) return [];
  const text = bytes.toString();
  const hash = holds(`${what} has the hash that was stored when it was prepared`, sha256(bytes) === expected ? null : 'it differs');
  const isSent = sentOf[operation](round);
  const sent = attempts.filter((one) => isSent(one) && one.request.file !== null);
  const within = sent.map(({ n, request }) => {
    const body = (files.get(request.file) || '').toString();
    const isWithin = body.includes(text) || body.includes(JSON.stringify(text));
    return holds(`request ${n} holds ${what}`, isWithin ? null : 'it holds another one');
  });
  const own = isXml(text) ? ofXmlRecord(parseXml(`<top ${DECLARED}>${text}</top>`), { issuer_code, sent, files }) : [];
  return [hash, ...within, ...own, ...(chain ? ofChain(chain, text, files) : [])];
}

/** A record is cut out of its message: what it does not declare itself is declared around it. */
const DECLARED = 'xmlns:sf="sf" xmlns:sfLR="sfLR"';

function ofXmlRecord(top, { issuer_code, sent, files }) {
  const record = elementsIn(top)[0];
  return localName(record) === 'Invoice' ? ofSignedCode(record, { issuer_code, sent, files }) : [];
}

/** Albania and Montenegro: the issuer's code is the MD5 of a signature over the identifying values of the invoice. */
function ofSignedCode(invoice, { issuer_code, sent, files }) {
  const of = (name) => attributeOf(invoice, name) || '';
  const signature = Buffer.from(of('IICSignature'), 'hex');
  const code = createHash('md5').update(signature).digest('hex').toUpperCase();
  const seller = allNamed(invoice, 'Seller').map((one) => attributeOf(one, 'IDNum'))[0] || '';
  const text = [seller, ...['IssueDateTime', 'InvOrdNum', 'BusinUnitCode', 'TCRCode', 'SoftCode', 'TotPrice'].map(of)].join('|');
  const keys = sent.flatMap(({ request }) => keysIn((files.get(request.file) || '').toString()));
  const isBy = keys.some((key) => verify('sha256', Buffer.from(text), key, signature));
  return [
    holds(`the issuer's code ${issuer_code} is that of its signature`, code === of('IIC') && code === issuer_code ? null : 'it is not'),
    isBy ? holds(`the issuer's code binds ${text}`, null) : unproved(`the issuer's code is by no certificate that is here: ${text}`),
  ];
}

function keysIn(text) {
  try {
    return certificatesIn(parseXml(text)).map(({ publicKey }) => publicKey);
  } catch {
    return [];
  }
}

const ALTA = ['IDEmisorFactura', 'NumSerieFactura', 'FechaExpedicionFactura', 'TipoFactura', 'CuotaTotal', 'ImporteTotal'];
const ANULACION = ['IDEmisorFacturaAnulada', 'NumSerieFacturaAnulada', 'FechaExpedicionFacturaAnulada'];

/** The huella of a Spanish record (AEAT, hash document 0.1.2): what it states of the record before is under Encadenamiento. */
function huellaIn(text) {
  const record = elementsIn(parseXml(`<top ${DECLARED}>${text}</top>`))[0];
  const before = allNamed(record, 'Encadenamiento')[0];
  const rest = { children: elementsIn(record).filter((child) => child !== before), name: '' };
  const of = (name, within = rest) => allNamed(within, name).map(textOf)[0] || '';
  const fields = (localName(record) === 'RegistroAlta' ? ALTA : ANULACION).map((name) => [name, of(name)]);
  const previous = before ? of('Huella', before) : '';
  const hashed = [...fields, ['Huella', previous], ['FechaHoraHusoGenRegistro', of('FechaHoraHusoGenRegistro')]];
  const line = hashed.map(([name, value]) => `${name}=${value.trim()}`).join('&');
  return { computed: sha256(line).toUpperCase(), stated: of('Huella'), previous };
}

function ofChain({ position, hash, previous }, text, files) {
  if (!text.includes('Encadenamiento>')) return [unproved(`link ${position} of the chain has the hash ${hash}`)];
  const own = huellaIn(text);
  const before = previous && previous.file !== null ? huellaIn(files.get(previous.file).toString()) : undefined;
  return [
    holds(
      `link ${position} of the chain has the hash of its record`,
      own.computed === hash && own.stated === hash ? null : 'it has another',
    ),
    holds(
      `link ${position} names the hash of the record before`,
      own.previous === (previous ? previous.hash : '') ? null : 'it names another',
    ),
    ...(before ? [holds(`the record before has that hash`, before.computed === previous.hash ? null : 'it has another')] : []),
  ];
}

function ofRegistration({ registration, attempts, resolved }, files) {
  if (!registration) return [];
  const { code } = registration;
  if (resolved.some((one) => one.code === code))
    return [unproved(`the code ${code} was entered by hand: ${MANIFEST} says by whom and why`)];
  const answers = attempts.filter(({ outcome, response }) => outcome === 'registered' && response && response.file !== null);
  if (answers.length === 0) return [unproved(`the answer that gave the code ${code} is not kept`)];
  const isThere = answers.some(({ response }) => (files.get(response.file) || '').toString().includes(code));
  return [holds(`an answer of the authority gives the code ${code}`, isThere ? null : 'none does')];
}

/** Prints each check, and returns the exit code. */
export function printVerified(path) {
  let checks;
  try {
    checks = verifyEvidence(filesIn(path));
  } catch (error) {
    console.error(error.message);
    return 2;
  }
  for (const { ok, what } of checks) console.log(`${ok === null ? '-' : ok ? '✓' : '✗'} ${what}`);
  const failed = checks.filter(({ ok }) => ok === false).length;
  const open = checks.filter(({ ok }) => ok === null).length;
  console.log(
    failed > 0
      ? `${failed} of ${checks.length} checks failed.`
      : `All of ${checks.length - open} checks hold${open > 0 ? `; ${open} could not be made` : ''}.`,
  );
  return failed > 0 ? 1 : 0;
}

const own = fileURLToPath(import.meta.url);
if (process.argv[1] && realpathSync(process.argv[1]) === realpathSync(own))
  process.exitCode = printVerified(process.argv[2] || dirname(own));
