// The worker that reads a certificate: its own file beside the bundled program.
import './credentials/worker.ts';
