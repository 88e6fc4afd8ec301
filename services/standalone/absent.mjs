// Stands for an optional package that the built program does without.
export {};
