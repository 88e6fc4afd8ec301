import { status } from '@grpc/grpc-js';
import { Failure } from './calls/failure.ts';

export type RefusalCode = status.PERMISSION_DENIED | status.UNAUTHENTICATED | undefined;

interface Call {
  emit(event: 'error', failure: Failure): boolean;
  on(event: 'close' | 'end', over: () => void): unknown;
}

/** Simulated access control: the server accepts or refuses all clients. */
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
    /** Whether an append within a batch call is refused. */
    refusesAppends: (): boolean => refused === status.PERMISSION_DENIED,
    /** Wraps a handler: its calls fail with these codes while they are refused, when they start and while they are open. */
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
