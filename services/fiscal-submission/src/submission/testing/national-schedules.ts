import fc from 'fast-check';
import { faults, type NetworkFault } from './faulty-network.ts';

/** What happens while documents are issued. Clocks are 300 s off. */
export type Happening =
  | 'nothing'
  | 'a day without the authority'
  | 'clock ahead'
  | 'clock behind'
  | 'a certificate that ends'
  | 'a certificate that is renewed'
  | 'partial batches'
  | 'a rising wait';

export interface Wanted {
  simulate: string | null;
  isCancelled: boolean;
}

export interface Phase {
  happens: Happening;
  documents: Wanted[];
}

export interface Schedule {
  phases: Phase[];
  /** Of calls, in their order. */
  network: NetworkFault[];
  /** The call at which the authority's process is killed; 0: none. */
  authorityDiesAt: number;
}

/** The authority says that it has another record under the number. */
export const FOREIGN = 'duplicate_foreign';
const everywhere = [null, 'lost_reply', 'lost_request', 'error_after_accept', 'unavailable:2', 'truncated', 'slow:20', FOREIGN];
const cis = [
  ...['bad_signature', 'wrong_request_id', 'wrong_signer', 'server_900', 'server_900:stored', 'resend:same', 'duplicate', 'clock:300'],
  ...['certificate:expired', 'certificate:revoked'],
];
const WITH_ERRORS = 'accepted_with_errors:';
/** Of a Spanish record that is accepted with an error: its code. */
export const errorAsked = (simulate: string | null): number | null =>
  simulate?.startsWith(WITH_ERRORS) ? Number(simulate.slice(WITH_ERRORS.length)) : null;
const spain = [
  ...['duplicate', 'fault_server', 'fault_client:4103', 'certificate:refused', 'query_blind:1'],
  ...['2001', '2004', '2005'].map((code) => `${WITH_ERRORS}${code}`),
];
const scripts = (authority: string): (string | null)[] => [...everywhere, ...(authority === 'es-verifactu' ? spain : cis)];

const MOST_CRASHES = 4;

/** With few deaths of the process. */
function bounded(given: readonly NetworkFault[]): NetworkFault[] {
  let deaths = 0;
  return given.filter((fault) => !fault.startsWith('crash') || (deaths += 1) <= MOST_CRASHES);
}

/** Documents are taken for two days at least: only one of the phases is a day without the authority. */
function withOneOutage(phases: readonly Phase[]): Phase[] {
  let outages = 0;
  return phases.map((phase) =>
    phase.happens === 'a day without the authority' && (outages += 1) > 1 ? { ...phase, happens: 'nothing' } : phase,
  );
}

const alone = [
  ...(['nothing', 'a day without the authority', 'clock ahead', 'clock behind'] as const),
  ...(['a certificate that ends', 'a certificate that is renewed'] as const),
];
const batched = ['partial batches', 'a rising wait'] as const;
/** Of Spain's sendings, by what happens: seconds of TiempoEsperaEnvio, each a hundredth of one in tests. */
export const sendingFaults: Readonly<Record<(typeof batched)[number], readonly string[]>> = {
  'partial batches': ['partial', 'partial'],
  'a rising wait': ['wait:70', 'wait:90', 'wait:120'],
};
/** By how much a clock is wrong, in milliseconds. */
export const WRONG_MS = 300_000;

interface Count {
  least: number;
  most: number;
}

/** A phase in which one of these happens. */
const phaseOf = (happens: readonly (typeof alone)[number][], authority: string, { least, most }: Count): fc.Arbitrary<Phase> => {
  const asking = fc.record({ simulate: fc.constantFrom(...scripts(authority)), isCancelled: fc.boolean() });
  return fc.record({ happens: fc.constantFrom(...happens), documents: fc.array(asking, { minLength: least, maxLength: most }) });
};
/** What a document asks for goes with its call, so that it shares no sending with others: these ask for nothing. */
const batchedPhaseOf = (happens: readonly (typeof batched)[number][]): fc.Arbitrary<Phase> => {
  const asking = fc.record({ simulate: fc.constant(null), isCancelled: fc.boolean() });
  return fc.record({ happens: fc.constantFrom(...happens), documents: fc.array(asking, { minLength: 3, maxLength: 5 }) });
};
const sendsBatches = (authority: string): boolean => authority === 'es-verifactu';

/** Schedules of faults for one authority. */
export function schedulesOf(authority: string): fc.Arbitrary<Schedule> {
  const any = phaseOf(alone, authority, { least: 1, most: 4 });
  const phase = sendsBatches(authority) ? fc.oneof(any, batchedPhaseOf(batched)) : any;
  return fc.record({
    phases: fc.array(phase, { minLength: 1, maxLength: 3 }).map(withOneOutage),
    network: fc.array(fc.constantFrom(...faults), { maxLength: 20 }).map(bounded),
    authorityDiesAt: fc.constantFrom(0, 0, 1, 2, 5),
  });
}

/** Schedules in which everything happens that can, once, in any order, and each fault of the network twice. The authority dies at one of its first calls. */
export function wholeSchedulesOf(authority: string): fc.Arbitrary<Schedule> {
  const phases = [
    ...alone.map((one) => phaseOf([one], authority, { least: 3, most: 5 })),
    ...(sendsBatches(authority) ? batched.map((one) => batchedPhaseOf([one])) : []),
  ];
  return fc.record({
    phases: fc.tuple(...phases).chain(inAnyOrder),
    network: inAnyOrder([...faults, ...faults]),
    authorityDiesAt: fc.constantFrom(1, 2, 5),
  });
}

const inAnyOrder = <T>(all: readonly T[]): fc.Arbitrary<T[]> => fc.shuffledSubarray([...all], { minLength: all.length });
