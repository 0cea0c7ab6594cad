import { createHash } from 'node:crypto'

/** The part of the Message-ID before the @ for an email with this dedupe key. It cannot be guessed if the key contains something random. */
export const mailKeyOf = (dedupeKey: string): string =>
  createHash('sha256').update(dedupeKey).digest('hex').slice(0, 40)
