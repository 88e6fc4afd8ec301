import type { Decider } from '@svc/kernel';
import { decide, type Command } from './decide.ts';
import type { SubmissionEvent } from './events.ts';
import { evolve } from './evolve.ts';
import { initialState, type State } from './state.ts';

export const submission: Decider<State, Command, SubmissionEvent> = { initialState, decide, evolve };
