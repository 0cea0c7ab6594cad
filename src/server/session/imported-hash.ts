import { parseOptions } from '@node-rs/argon2'

/** Stored instead of a hash for an account without a password. No password matches it. */
export const noPassword = '!'
/** The prefix of a stored hash that comes from another system. The partial index `users_imported_password` contains these hashes. */
const marker = 'import:'

// The defaults of PHP, from which most imported hashes come. A more expensive hash would occupy a slot for seconds.
const maxCost = { bcryptCost: 12, memoryCost: 64 * 1024, timeCost: 4, parallelism: 4 }
const bcrypt = /^\$2[aby]\$(\d\d)\$[./A-Za-z0-9]{53}$/
const argon2 = /^\$argon2(?:id|i)\$v=19\$m=\d+,t=\d+,p=\d+\$[+/A-Za-z0-9]{11,86}\$[+/A-Za-z0-9]{22,86}$/

/**
 * Returns the form in which a bcrypt or argon2 hash from another system is stored until the next login. Returns null for any other string, and for
 * a hash that is more expensive than the defaults of PHP.
 */
export function importedHash(hash: string): string | null {
  const [, cost] = bcrypt.exec(hash) ?? []
  if (cost !== undefined) return Number(cost) >= 4 && Number(cost) <= maxCost.bcryptCost ? marker + hash : null
  return argon2.test(hash) && isAffordable(hash) ? marker + hash : null
}

function isAffordable(hash: string): boolean {
  try {
    const { memoryCost, timeCost, parallelism } = parseOptions(hash)
    return memoryCost <= maxCost.memoryCost && timeCost <= maxCost.timeCost && parallelism <= maxCost.parallelism
  } catch {
    return false
  }
}

/** Whether a stored hash comes from another system. */
export const isImported = (stored: string): boolean => stored.startsWith(marker)
/** Whether a hash, without the marker, is a bcrypt hash. */
export const isBcrypt = (hash: string): boolean => bcrypt.test(hash)
/** Returns an imported hash as the other system wrote it, and a hash of this product unchanged. */
export const originalHash = (stored: string): string => (isImported(stored) ? stored.slice(marker.length) : stored)
