/** Limits of the sources of payments, and of imported files. */
export const paymentLimits = {
  /**
   * The mailbox of payment emails. An email of more than `bytes` is not fetched. A reader holds the lease of the mailbox for
   * `leaseSeconds` and renews it every `renewMs`; it checks for new emails every `pollMs` even if the server announces
   * them. After UIDVALIDITY changes, emails of `rescanDays` are read again. An email that causes an error is set aside
   * after `tries`. Beyond `perHour` emails within an hour, one is read every `slowMs`. If the DNS query for a key fails,
   * it is repeated every `retryMinutes` for `retryHours`. Administrators are warned after `quietDays` without a payment
   * email if one arrived on `usualDays` of the `usualWithin` days before.
   */
  mailbox: {
    bytes: 2_000_000,
    /** The limit of an email that answers a ticket, which may contain photos. Parsing 12 MB blocks other requests for half a second, so few are read. */
    answerBytes: 12_000_000,
    largeAnswersPerHour: 20,
    connectMs: 10_000,
    silenceMs: 60_000,
    leaseSeconds: 30,
    renewMs: 10_000,
    pollMs: 30_000,
    takeoverMs: 10_000,
    fetchedAtOnce: 50,
    rescanDays: 30,
    tries: 3,
    retryHours: 24,
    retryMinutes: 10,
    perHour: 1_000,
    slowMs: 5_000,
    silentMinutes: 15,
    quietDays: 3,
    usualDays: 7,
    usualWithin: 10,
    shown: 100,
  },
  /** Uploaded statements: `shownLines` of each verdict are in a preview, `atOnce` payments are compared and stored together. */
  statement: { bytes: 5_000_000, lines: 50_000, shownLines: 500, atOnce: 1_000 },
  /**
   * Events of payment processors: `toleranceSeconds` is the longest time between a signature and its arrival. Data that
   * an event lacks are looked up every minute: its amount for `amountHours`, and the payment that it reverses for
   * `paymentMinutes`. Events without a payment are kept `keptDays`.
   */
  event: {
    bytes: 256 * 1024,
    toleranceSeconds: 300,
    amountHours: 24,
    paymentMinutes: 60,
    retriedAtOnce: 50,
    keptDays: 30,
    shown: 20,
  },
  /**
   * Uploaded lists of customers and of their earlier invoices. `insertedAtOnce` rows are stored by one statement, `appliedAtOnce` by one
   * transaction, so that its locks are held for about a second. Runs that were not applied are removed after `keptDays`.
   */
  imports: {
    bytes: 24_000_000,
    rows: { customers: 60_000, invoices: 150_000 },
    insertedAtOnce: 500,
    appliedAtOnce: { customers: 1_000, invoices: 5_000 },
    shownRows: 100,
    shownInvoices: 20,
    emailedPerMinute: 30,
    keptDays: 7,
  },
}
