/** The chapter on what the law closes, and by when: the same for all documents. */
export const lateAndVoid = `# Voids, and what is late

- A void is a legal step of its own. Albania and Montenegro annul nothing: a corrective is registered, which takes all back. In Spain it is the annulment of the record
  (RegistroAnulacion), meant for what never reached its customer: everything else is a rectificativa, by a credit note or a corrective. An invoice of which something is
  paid or credited is not voided (422 \`invalid_state\`): reverse the payment, or credit what is left.
- \`fiscal.deadline_at\` is the legal end, by the reason for which a document is late. \`late_reason: "no_internet"\` moves it, where the issuer had none. All else follows from the
  attempts: whether the authority did not answer, or we were late, is known here and is sent as it was. Paper books cannot be stated: a sale that
  was written by hand during an outage is no document of this service, no attempt of it exists, and its number is the book’s. Report it in the way that the authority names.
- After that end \`submit\` and \`resubmit\` are refused (422 \`invalid_state\`), without a number or an attempt. \`fiscal.next\` is stored with the last news of a document: where its
  \`reason\` names a time, that time ends the step, and \`manual_upload\` follows.
`;
