import { parseOptions } from '@node-rs/argon2'

/** Stored instead of a hash for an account without a password. No password matches it. */
export const noPassword = '!'
/** Marks a hash of another system. The partial index `users_imported_password` finds them. */
const marker = 'import:'

// Up to the defaults of PHP, whose hashes these usually are: a more expensive one would occupy a slot for seconds.
const most = { bcryptCost: 12, memoryCost: 64 * 1024, timeCost: 4, parallelism: 4 }
const bcrypt = /^\$2[aby]\$(\d\d)\$[./A-Za-z0-9]{53}$/
const argon2 = /^\$argon2(?:id|i)\$v=19\$m=\d+,t=\d+,p=\d+\$[+/A-Za-z0-9]{11,86}\$[+/A-Za-z0-9]{22,86}$/

/**
 * The form in which a bcrypt or argon2 hash of another system is stored until the next login. Null for any other text, and for a hash that takes
 * more work than the defaults of PHP.
 */
export function importedHash(hash: string): string | null {
  const [, cost] = bcrypt.exec(hash) ?? []
  if (cost !== undefined) return Number(cost) >= 4 && Number(cost) <= most.bcryptCost ? marker + hash : null
  return argon2.test(hash) && isAffordable(hash) ? marker + hash : null
}

function isAffordable(hash: string): boolean {
  try {
    const { memoryCost, timeCost, parallelism } = parseOptions(hash)
    return memoryCost <= most.memoryCost && timeCost <= most.timeCost && parallelism <= most.parallelism
  } catch {
    return false
  }
}

/** Whether a stored hash is one of another system. */
export const isImported = (stored: string): boolean => stored.startsWith(marker)
/** Whether a hash, without the marker, is a bcrypt hash. */
export const isBcrypt = (hash: string): boolean => bcrypt.test(hash)
/** The hash as the other system wrote it. Returns a hash of this product unchanged. */
export const originalHash = (stored: string): string => (isImported(stored) ? stored.slice(marker.length) : stored)
