// Appends the events that no route can cause to a stopped system's data folder, by the ports and use cases of the services.

/**
 * `data`: the folder; `setup`: the setup file of the first start; `customer_id`: a customer of the test environment; `corrected`: a registered invoice;
 * `rejected`: a credit note of it, for which it has enough left.
 */
export async function appendUnserved({ data, setup, customer_id, corrected, rejected }) {
  const load = (path) => import(path);
  const [kernel, { Engine }, { embeddedDocumentStore }, stores, { parseKeyRing }, { loadSecrets, serviceSecrets }] = await Promise.all(
    [
      '@svc/kernel',
      '@svc/embedded',
      '@svc/document-store',
      '@svc/event-store',
      '@svc/service',
      '../services/standalone/dist/bundle/launching.mjs',
    ].map(load),
  );
  const invoicing = (name) => load(`@svc/invoicing/${name}`);
  const [
    { createCustomers, customerStream },
    { createCustomer },
    { createIssuers },
    { createInvoice },
    { submitInvoice },
    { createReceipt },
    { closedSeries, noClosedSeries, seriesRowIndexes },
    { raiseSeries },
    { createProducts },
    { createProduct },
    { invoiceProcess },
    { createClockCheck },
    { createAwayAuthorities },
  ] = await Promise.all(
    [
      ...['customer/customers', 'customer/write', 'issuer/issuers', 'invoice/invoices', 'invoice/write', 'receipt/write'],
      ...['numbering/series', 'numbering/series-numbers', 'product/products', 'product/write'],
      ...['invoice/process', 'clock/clock-check', 'document/away'],
    ].map(invoicing),
  );

  const engine = Engine.open(data);
  try {
    const clock = kernel.systemClock;
    const ids = kernel.createIds(clock);
    const secrets = parseKeyRing(serviceSecrets(loadSecrets(data, {})).secretsKeys['invoicing']);
    const documents = embeddedDocumentStore(engine, 'svc_invoicing');
    const collection = documents.collection('subject_keys');
    const keys = stores.documentSubjectKeys({ collection, secrets, clock });
    const store = stores.encryptedEventStore(stores.embeddedEventStore(engine, clock), keys);
    const sequence = stores.createSequence({ streams: store, ids, clock });
    const parts = { store, ids };
    const customers = createCustomers(parts);
    const products = createProducts({ ...parts, clock });
    const context = {
      ...parts,
      sequence,
      clock,
      publicUrl: 'http://localhost:3000',
      issuers: createIssuers(parts),
      customers,
      products,
      closedSeries: noClosedSeries,
      away: createAwayAuthorities(),
      lacking: { live: {}, test: {} },
      clockCheck: createClockCheck({ witnesses: [], clock, logger: console }),
      logger: console,
    };
    const account = setup.account_id;
    const call = () => ({ context, customers, identity: identityOf(account, ids, kernel) });

    // The series has a number with a later date than the document, taken between its submission and its numbering.
    const items = [{ description: 'Too late', unit_price: 1 }];
    const { id } = await createInvoice(call(), { customer_id, currency: 'EUR', items });
    const take = async () =>
      new kernel.DomainError('validation_error', 'is too late', { issue_date: ['is before the last of its series.'] });
    const late = { ...call(), context: { ...context, sequence: { ...sequence, head: sequence.head, take } } };
    const refused = (work) =>
      work.then(
        () => {
          throw new Error('a number was taken');
        },
        (error) => {
          if (!(error instanceof kernel.DomainError)) throw error;
        },
      );
    await refused(submitInvoice(late, { id, ifMatch: undefined, lateReason: null }));
    await refused(createReceipt(late, { items, payment_method: 'cash' }));

    const { id: erased } = await createCustomer(call(), { name: 'Erased', email: 'erased@customers.example' });
    // The customer was erased between the submission and the numbering.
    const { id: asked } = await createInvoice(call(), { customer_id: erased, currency: 'EUR', items });
    const destroying = async (claim) => {
      await keys.destroy(erased);
      await invoiceProcess.proceed(
        context,
        { account, env: 'test', id: asked },
        { account, env: 'test', actor: { type: 'system', id: 'freeze' } },
      );
      return sequence.take(claim);
    };
    const gone = { ...call(), context: { ...context, sequence: { ...sequence, head: sequence.head, take: destroying } } };
    await refused(submitInvoice(gone, { id: asked, ifMatch: undefined, lateReason: null }));
    const at = kernel.iso(clock.now());
    await customers.handle(customerStream(account, 'test', erased), () => ({ type: 'erase', at }), {
      account,
      env: 'test',
      subject: erased,
    });

    // A process ended between the claim of a SKU and its product; another product takes the SKU over.
    const ended = new kernel.DomainError('internal_error', 'the process ended');
    const append = async (stream, ...rest) => {
      if (stream.startsWith('product-')) throw ended;
      return store.append(stream, ...rest);
    };
    const ending = createProducts({ ids, clock, store: { ...store, append } });
    await refused(createProduct({ ...call(), products: ending }, { name: 'Lost', sku: 'L-1' }));
    await createProduct({ ...call(), products }, { name: 'Found', sku: 'L-1' });

    // Processes ended before they reserved amounts of the corrected invoice, which another credit note has taken meanwhile.
    const correction = (unit_price, simulate) =>
      createInvoice(call(), {
        ...{ customer_id, currency: 'EUR', type: 'credit_note', corrects: corrected, metadata: { simulate } },
        items: [{ description: 'Returned', unit_price }],
      });
    const [lost, holder] = [await correction(60, 'accept'), await correction(60, 'unavailable:10000')];
    const named = (of) => ({ id: of, ifMatch: undefined, lateReason: null });
    for (const of of [lost.id, rejected]) {
      const once = async (...of) => {
        await store.append(...of);
        throw ended;
      };
      const dying = { ...store, read: (...of) => store.read(...of), append: once };
      await refused(submitInvoice({ ...call(), context: { ...context, store: dying } }, named(of)));
    }
    await submitInvoice(call(), named(holder.id));
    for (const of of [lost.id, rejected]) await invoiceProcess.finish(context, { account, env: 'test', id: of });

    // An operator raises a series after a restore.
    const rows = documents.collection('series_after_restore', { indexes: seriesRowIndexes });
    const restored = { at, until: 0n };
    const [series, code, year] = [`series-test.${account}.RAISED`, 'RAISED', null];
    await closedSeries(restored, rows).closed({ account, env: 'test' }, { stream: series, series: code, year });
    await raiseSeries({ ...context, rows, restored }, { series, last: 7, confirm: true });
  } finally {
    engine.close();
  }
}

const identityOf = (account, ids, { prefixed }) => ({
  account,
  env: 'test',
  livemode: false,
  permissions: ['*'],
  actor: { type: 'system', id: 'freeze' },
  requestId: prefixed('req', ids.next()),
  commandId: ids.next(),
});
