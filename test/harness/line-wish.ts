import type { NewLine } from '#features/provisioning/server/panels/port.ts'

/** A moment that many days from now, to the second, as panels keep it. */
export const inDays = (days: number): string =>
  new Date(Math.floor((Date.now() + days * 86_400_000) / 1000) * 1000).toISOString()

/** A line that any make of panel can be asked for. */
export const sampleLine: NewLine = {
  idempotencyKey: 'invoice:1',
  username: 'amber7otter',
  password: 'Secret4Line9',
  packageRef: '7',
  connections: 2,
  expiresAt: inDays(30),
  note: 'ORD-ABC123',
}
