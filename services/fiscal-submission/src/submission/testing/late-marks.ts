import type { Call } from './national-calls.ts';

/** When a document was issued: milliseconds since 1970 by the issuer's clock, and the process that ran then. */
export interface Issued {
  number: string;
  at: number;
  life: number;
}

/** Until then a message is the first one in time, and a record is fresh. */
const [FIRST_MS, FRESH_MS] = [60_000, 180_000];
/** The authority's tolerance of Spain. */
const TOLERATED_MS = 240_000;
/** Between the time that a process reads for a message and the call. */
const BETWEEN_MS = 5_000;
const SCALE = 100;

const attributeOf = (body: string, name: string): string | undefined => new RegExp(` ${name}="([^"]*)"`).exec(body)?.[1];
const typeOf = ({ body }: Call): string | undefined => attributeOf(body, 'SubseqDelivType');
const valuesOf = (body: string, name: string): string[] =>
  Array.from(body.matchAll(new RegExp(`<sf:${name}>([^<]*)</sf:${name}>`, 'g')), ([, value]) => value ?? '');

/** Numbers of the invoices whose registration is in a sending. */
const numbersIn = (body: string): string[] =>
  Array.from(
    body.matchAll(/<sf:IDFactura><sf:IDEmisorFactura>[^<]*<\/sf:IDEmisorFactura><sf:NumSerieFactura>([^<]*)</g),
    ([, value]) => value ?? '',
  );

/** Registrations of a document, in order. */
export const registrationsOf = (calls: readonly Call[], number: string): Call[] =>
  calls.filter(({ body }) => body.includes('<RegisterInvoiceRequest') && attributeOf(body, 'InvNum') === number);

/** Sendings of records. */
export const sendingsIn = (calls: readonly Call[]): Call[] => calls.filter(({ body }) => body.includes('<sfLR:RegistroFactura>'));
export const sendingsOf = (calls: readonly Call[], number: string): Call[] =>
  sendingsIn(calls).filter(({ body }) => numbersIn(body).includes(number));
export const saysLate = ({ body }: Call): boolean => body.includes('<sf:Incidencia>S</sf:Incidencia>');
/** Whether a call about a document says that it comes later. */
export const saysLater = (call: Call): boolean => typeOf(call) !== undefined;

/**
 * Messages of Albania and Montenegro whose kind of late delivery is not what happened: the first one within a minute has none; a later one blames the service where
 * that one reached no answer that can be trusted, and this side else.
 */
export function wrongTypes(calls: readonly Call[], issued: Issued): string[] {
  const own = registrationsOf(calls, issued.number);
  return own.flatMap((call, n) => {
    const may = typesOf(call, own, issued);
    if (may.includes(typeOf(call))) return [];
    return [`${issued.number}, message ${n + 1}: ${typeOf(call) ?? 'none'} instead of ${may.map((one) => one ?? 'none').join(' or ')}`];
  });
}

function typesOf(call: Call, own: readonly Call[], issued: Issued): (string | undefined)[] {
  const [first = call] = own;
  const inTime = first.isUnsure ? [true, false] : timelinessOf(first.at - issued.at);
  // A process that died between its note of an attempt and the call has tried as well.
  const mayHaveTried = call.life > issued.life;
  if (call === first) return [...inTime.map((is) => (is ? undefined : 'TECHNICALERROR')), ...(mayHaveTried ? ['TECHNICALERROR'] : [])];
  const isTheirs = failedAtAuthority(first);
  return [...inTime.map((is) => (is && isTheirs ? 'SERVICE' : 'TECHNICALERROR')), ...(mayHaveTried ? ['TECHNICALERROR'] : [])];
}

/** Whether a first message of this age is in time; both where it cannot be known. */
const timelinessOf = (age: number): boolean[] => (Math.abs(age - FIRST_MS) < BETWEEN_MS ? [true, false] : [age < FIRST_MS]);

/** A fault about the time or the certificate is of this side; so is a process that dies. */
function failedAtAuthority({ body, answer, broke }: Call): boolean {
  if (!answer) return broke === true;
  const [, code] = /<code>(\d+)<\/code>/.exec(answer.text) ?? [];
  const [, request = ''] = /<requestUUID>([^<]*)<\/requestUUID>/.exec(answer.text) ?? [];
  const isAbout = request === '' || request === attributeOf(body, 'UUID');
  return !(isAbout && ['2', '49', '34', '35', '36', '37', '38', '39'].includes(code ?? ''));
}

/** Sendings of Spain that are marked as late and have a fresh record, or are not and have a late one. */
export function wrongMarks(calls: readonly Call[]): string[] {
  const sure = sendingsIn(calls).filter(({ isUnsure }) => !isUnsure);
  return sure.flatMap((call) => {
    const ages = valuesOf(call.body, 'FechaHoraHusoGenRegistro').map((at) => call.at - Date.parse(at));
    const isWrong = saysLate(call) ? ages.some((age) => age < FRESH_MS) : ages.some((age) => age > FRESH_MS + BETWEEN_MS);
    return isWrong ? [`${numbersIn(call.body).join()}: ${saysLate(call) ? 'late' : 'fresh'} at ${ages.join()} ms`] : [];
  });
}

/** Whether the authority can have taken a fresh record for late: the clocks differed when it was sent. */
export const wasSentByWrongClock = (calls: readonly Call[], number: string): boolean =>
  sendingsOf(calls, number).some(({ wrongBy }) => Math.abs(wrongBy) > TOLERATED_MS);

/** Sendings before the end of the wait that the answer to the one before has named to the same process. */
export function impatient(calls: readonly Call[]): string[] {
  const sendings = sendingsIn(calls);
  return sendings.slice(1).flatMap((call, n) => {
    const { life, wrongBy, answer } = sendings[n] as Call;
    const [, wait] = /<sfR:TiempoEsperaEnvio>(\d+)</.exec(answer?.text ?? '') ?? [];
    if (!answer || wait === undefined || life !== call.life || wrongBy !== call.wrongBy) return [];
    const early = answer.at + (Number(wait) * 1_000) / SCALE - call.at;
    return early > 0 ? [`${early} ms before the end of ${wait} s / ${SCALE}`] : [];
  });
}
