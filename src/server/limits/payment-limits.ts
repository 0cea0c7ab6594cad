/** Limits of payment emails, statements, events of payment processors, and imports. */
export const paymentLimits = {
  /**
   * The payment mailbox. Emails of more than `bytes` are not fetched. A reader holds the mailbox lease for `leaseSeconds` and renews it every `renewMs`. It
   * checks for new emails every `pollMs`, even if the server announces them. When UIDVALIDITY has changed, the emails of the last `rescanDays` are read again.
   * An email that causes an error is set aside after `tries` attempts. After `perHour` emails within an hour, only one is read every `slowMs`. If the DNS query
   * for a key fails, it is repeated every `retryMinutes` for `retryHours`. Administrators are warned after `quietDays` without a payment email if one arrived
   * on `usualDays` of the `usualWithinDays` days before.
   */
  mailbox: {
    bytes: 2_000_000,
    /**
     * The size limit of an email that answers a ticket, because it may contain photos. Parsing 12 MB blocks other requests for half a second, so few large ones
     * are read per hour.
     */
    answerBytes: 12_000_000,
    largeAnswersPerHour: 20,
    connectMs: 10_000,
    silenceMs: 60_000,
    leaseSeconds: 30,
    renewMs: 10_000,
    pollMs: 30_000,
    takeoverMs: 10_000,
    fetchBatch: 50,
    rescanDays: 30,
    tries: 3,
    retryHours: 24,
    retryMinutes: 10,
    perHour: 1_000,
    slowMs: 5_000,
    silentMinutes: 15,
    quietDays: 3,
    usualDays: 7,
    usualWithinDays: 10,
    shown: 100,
  },
  /** Uploaded statements. A preview shows at most `shownRows` rows of each verdict. `batchSize` payments are compared and stored together. */
  statement: { bytes: 5_000_000, shownRows: 500, batchSize: 1_000 },
  /**
   * Events of payment processors: `toleranceSeconds` is the longest time from the signing of an event to its arrival. Data that an event lacks is looked up
   * every minute: its amount for up to `amountHours`, and the payment that it reverses for up to `paymentMinutes`. Events without a payment are kept for
   * `keptDays`.
   */
  event: {
    bytes: 256 * 1024,
    toleranceSeconds: 300,
    amountHours: 24,
    paymentMinutes: 60,
    retryBatch: 50,
    keptDays: 30,
    shown: 20,
  },
  /**
   * Uploaded lists of customers and of their earlier invoices. One SQL statement stores `insertBatch` rows. One transaction applies `applyBatch` rows, so that
   * its locks are held for about a second. Runs that were not applied are removed after `keptDays`.
   */
  imports: {
    bytes: 24_000_000,
    rows: { customers: 60_000, invoices: 150_000 },
    insertBatch: 500,
    applyBatch: { customers: 1_000, invoices: 5_000 },
    shownRows: 100,
    shownInvoices: 20,
    emailedPerMinute: 30,
    keptDays: 7,
  },
}
