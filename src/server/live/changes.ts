import type { AnyEndpoint } from '#kit/endpoint.ts'
import { isPermitted, type Permission } from '#kit/permissions.ts'
import type { Topic } from '#kit/topics.ts'

/** What a transaction changed. `userId` is the user whose data changed; without it, the data belong to the operator. */
export type Change = { topics: Topic[]; userId?: number | undefined }
type Reader = { id: number; permissions: readonly Permission[] }

/**
 * Returns a function that lists the ids of the endpoints whose responses a change made stale on the pages of a user:
 * admin endpoints on the pages of the staff who may read them, and the others on the pages of the changed user. A change without a user
 * concerns the staff only: the pages of visitors fetch public lists when they load.
 */
export function staleEndpoints(
  endpoints: Pick<AnyEndpoint, 'id' | 'access' | 'needs' | 'dependsOn'>[],
): (change: Change, reader: Reader) => string[] {
  const dependent = endpoints.filter(({ dependsOn }) => dependsOn !== undefined)
  return ({ topics, userId }, { id: readerId, permissions }) => {
    const [isStaff, isOwn] = [permissions.length > 0, readerId === userId]
    if (!isStaff && !isOwn) return []
    return dependent
      .filter(({ access, needs }) => {
        if (access === 'admin') return needs !== undefined && isPermitted(permissions, needs)
        return userId === undefined ? isStaff : isOwn
      })
      .filter(({ dependsOn }) => dependsOn!.some((topic) => topics.includes(topic)))
      .map(({ id }) => id)
  }
}
