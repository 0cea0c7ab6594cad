import { createHash } from 'node:crypto'

/** Returns the version of a settings section: a hash of its content, so that changes of other sections do not conflict. */
export const versionOf = (value: unknown): string =>
  createHash('sha256').update(JSON.stringify(value)).digest('base64url').slice(0, 22)
