import { testImages, testInvoicingImage } from './testing/images.ts';

/** `image.long.spec.ts` has more services. */
testImages(['invoicing']);
testInvoicingImage();
