import { status } from '@grpc/grpc-js';
import { Failure } from './calls/failure.ts';

export type RefusalCode = status.PERMISSION_DENIED | status.UNAUTHENTICATED | undefined;

interface Call {
  emit(event: 'error', failure: Failure): boolean;
  on(event: 'close' | 'end', over: () => void): unknown;
}

/** Whether the server lets its clients do anything: all of them or none. */
export function createAccess() {
  let refused: RefusalCode;
  const open = new Map<Call, RefusalCode[]>();
  const failure = (code: status): Failure => new Failure(code, code === status.PERMISSION_DENIED ? 'Access Denied' : 'Unauthenticated');

  return {
    refuse(code: RefusalCode): void {
      refused = code;
      if (code === undefined) return;
      for (const [call, breaking] of open) if (breaking.includes(code)) call.emit('error', failure(code));
    },
    /** Of an append within a call for many. */
    refusesAppends: (): boolean => refused === status.PERMISSION_DENIED,
    /** The handler of a call that breaks off with these codes, at its start and later. */
    guarded<C, Rest extends unknown[]>(
      handler: (call: C, ...rest: Rest) => void,
      breaking: RefusalCode[],
    ): (call: C, ...rest: Rest) => void {
      return (served, ...rest) => {
        const call = served as C & Call;
        if (refused !== undefined && breaking.includes(refused)) return void call.emit('error', failure(refused));
        open.set(call, breaking);
        call.on('close', () => open.delete(call));
        call.on('end', () => open.delete(call));
        handler(served, ...rest);
      };
    },
  };
}
export type Access = ReturnType<typeof createAccess>;
