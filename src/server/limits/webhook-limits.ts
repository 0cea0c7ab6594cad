/** Limits of webhooks that send notices to the staff. */
export const webhookLimits = {
  /**
   * One attempt takes at most `totalMs`, and reads at most `bodyBytes` of a response that explains a failure. Each webhook gets at most `atOnce` notices in
   * parallel. After `failingDays` without a successful attempt a webhook is paused. Deliveries are kept for `keptDays`.
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
