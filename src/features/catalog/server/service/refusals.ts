import { violationOf } from '#server/db/retry.ts'
import { conflict, invalid } from '#server/errors.ts'
import type { CatalogResource } from './catalog-resource.ts'

/** Throws 409: the version that was edited is outdated. */
export const stale = (noun: string) =>
  conflict(
    'stale',
    `Another administrator has changed this ${noun}. Nothing was saved; please review the current version.`,
  )

/** Converts a constraint violation into an error for the form; rethrows other errors. */
export function toRefusal(
  error: unknown,
  { unique, type, noun }: Pick<CatalogResource, 'unique' | 'type' | 'noun'>,
): never {
  const violation = violationOf(error)
  if (violation?.constraint === unique.constraint) return invalid(unique.field, unique.message, `${type}_exists`)
  if (violation?.code === '23503')
    return conflict(`${type}_in_use`, `This ${noun} is in use, so it cannot be deleted. Hide it instead.`)
  throw error
}
