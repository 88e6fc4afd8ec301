// The worker that renders files: its own file beside the bundled program.
import '@svc/document-files/worker';
