import { violationOf } from '#server/db/retry.ts'
import { conflict, invalid } from '#server/errors.ts'
import type { CatalogueResource } from './catalogue-resource.ts'

/** 409: what was opened is not what is there now. */
export const stale = (noun: string) =>
  conflict(
    'stale',
    `This ${noun} was changed by somebody else meanwhile. Nothing was saved; please look at it again before you change it.`,
  )

/** A broken rule of the database in the form's words; anything else is thrown on. */
export function explained(
  error: unknown,
  { taken, type, noun }: Pick<CatalogueResource, 'taken' | 'type' | 'noun'>,
): never {
  const violation = violationOf(error)
  if (violation?.constraint === taken.constraint) return invalid(taken.field, taken.message, `${type}_exists`)
  if (violation?.code === '23503')
    return conflict(`${type}_in_use`, `Something refers to this ${noun}, so it is kept. Hide it instead.`)
  throw error
}
