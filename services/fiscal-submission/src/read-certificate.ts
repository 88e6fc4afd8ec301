// The process that reads a certificate: its own file beside the bundled program.
import './credentials/read-one.ts';
