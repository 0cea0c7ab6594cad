import type { AnyEndpoint } from '#kit/endpoint.ts'
import type { Topic } from '#kit/topics.ts'

/** What a transaction changed. `userId` is the user whose data changed; without it, the data belong to the operator. */
export type Change = { topics: Topic[]; userId?: number | undefined }
type Reader = { id: number; role: 'user' | 'admin' }

/**
 * Returns a function that lists the ids of the endpoints whose responses a change made stale on the pages of a user:
 * endpoints for administrators on the pages of every administrator, and the others on the pages of the changed user. A change without a user
 * concerns administrators only: the pages of visitors fetch public lists when they load.
 */
export function staleEndpoints(
  endpoints: Pick<AnyEndpoint, 'id' | 'access' | 'dependsOn'>[],
): (change: Change, reader: Reader) => string[] {
  const dependent = endpoints.filter(({ dependsOn }) => dependsOn !== undefined)
  return ({ topics, userId }, { id: readerId, role }) => {
    const [isAdmin, isOwn] = [role === 'admin', readerId === userId]
    if (!isAdmin && !isOwn) return []
    return dependent
      .filter(({ access }) => (access === 'admin' || userId === undefined ? isAdmin : isOwn))
      .filter(({ dependsOn }) => dependsOn!.some((topic) => topics.includes(topic)))
      .map(({ id }) => id)
  }
}
