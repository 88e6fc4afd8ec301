import { testEqualBuilds, testImages, testInvoicingImage, testSimulatorImage } from './testing/images.ts';

testImages(['invoicing', 'gateway', 'authority-simulator']);
testSimulatorImage();
testInvoicingImage();
testEqualBuilds();
