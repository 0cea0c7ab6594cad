import type { NewLine } from '#features/provisioning/server/panels/port.ts'

/** An instant that many days from now, in whole seconds as panels store it. */
export const inDays = (days: number): string =>
  new Date(Math.floor((Date.now() + days * 86_400_000) / 1000) * 1000).toISOString()

/** A line that every panel type can create. */
export const sampleLine: NewLine = {
  idempotencyKey: 'invoice:1',
  username: 'amber7otter',
  password: 'Secret4Line9',
  packageRef: '7',
  connections: 2,
  expiresAt: inDays(30),
  note: 'ORD-ABC123',
}
