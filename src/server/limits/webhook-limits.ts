/** Limits of webhooks of the staff. */
export const webhookLimits = {
  /**
   * One attempt takes at most `totalMs`, and reads `bodyBytes` of an answer that explains a failure. Of each webhook `atOnce` notices are sent in
   * parallel. After `failingDays` without a successful attempt a webhook is paused. Deliveries are kept `keptDays`.
   */
  webhook: {
    totalMs: 10_000,
    bodyBytes: 64 * 1024,
    atOnce: 3,
    leaseSeconds: 60,
    failingDays: 5,
    keptDays: 30,
  },
}
