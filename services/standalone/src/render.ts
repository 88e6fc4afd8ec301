// The worker that renders files, in the bundle of the one process: its own file beside the program.
import '@svc/document-files/worker';
