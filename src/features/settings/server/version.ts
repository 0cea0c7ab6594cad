import { createHash } from 'node:crypto'

/** The version of a section of the settings: a hash of what it contains, so that changes of other sections do not conflict. */
export const versionOf = (value: unknown): string =>
  createHash('sha256').update(JSON.stringify(value)).digest('base64url').slice(0, 22)
