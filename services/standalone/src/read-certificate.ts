// The worker that reads a certificate, in the bundle of the one process: its own file beside the program.
import '@svc/fiscal-submission/credentials/read-one';
