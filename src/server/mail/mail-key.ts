import { createHash } from 'node:crypto'

/** Returns the part of the Message-ID before the @ for the email with this dedupe key. It cannot be guessed if the dedupe key contains a random part. */
export const mailKeyOf = (dedupeKey: string): string =>
  createHash('sha256').update(dedupeKey).digest('hex').slice(0, 40)
