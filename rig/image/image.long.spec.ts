import { testEqualBuilds, testImages, testInvoicingImage, testSimulatorImage } from './testing/images.ts';
import { testOneProcessImage } from './testing/one-process.ts';

testImages(['invoicing', 'gateway', 'authority-simulator', 'standalone']);
testSimulatorImage();
testInvoicingImage();
testOneProcessImage();
testEqualBuilds();
