// The program of the worker thread: reads one file and ends. It imports no package of this repository, so that it runs from its source too.
import { parentPort, workerData } from 'node:worker_threads';
import { readPkcs12, type CertificateFile } from './pkcs12.ts';

parentPort?.postMessage('started');
parentPort?.postMessage(readPkcs12(workerData as CertificateFile));
