import { answered } from '@svc/client/console';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useConsole } from '../api/consoles.ts';
import type { Once } from '../api/intent.ts';
import type { Resource } from '../api/types.ts';
import type { Tone } from '../ui/badge.tsx';

export const exportsAddress = '/app/exports';
export const exportsKey = (env: string): readonly string[] => [env, 'exports'];

interface Job {
  status: string;
}
export const isMovingJob = ({ status }: Job): boolean => status === 'queued' || status === 'running';
const tones: Record<string, Tone> = { queued: 'calm', running: 'info', succeeded: 'good', failed: 'bad' };
export const toneOfJob = ({ status }: Job): Tone => tones[status] ?? 'calm';

const ASKED_MS = 3_000;

/** A list of jobs is asked for again while one of them goes on. */
export const whileMoving = ({ state: { data } }: { state: { data?: { data: readonly Job[] } | undefined } }): number | false =>
  data?.data.some(isMovingJob) ? ASKED_MS : false;

/** Begins an export, and leads to the list of them. */
export function useExporting() {
  const { console, env } = useConsole();
  const queries = useQueryClient();
  const navigate = useNavigate();
  return {
    run: (body: Resource<'CreateExport'>, once: Once) => answered(console.POST('/console/exports', { body, headers: once })),
    async done(): Promise<void> {
      void queries.invalidateQueries({ queryKey: exportsKey(env) });
      await navigate({ to: exportsAddress });
    },
  };
}
