import { AsyncLocalStorage } from 'node:async_hooks'

type ActingKey = { id: number; name: string; userId: number }
const acting = new AsyncLocalStorage<ActingKey>()

/** Runs the handler of a request that was made with an API key. Its audit entries then name the key. */
export const withActingKey = <T>(key: ActingKey, handler: () => T): T => acting.run(key, handler)

/**
 * Returns the API key of the current request if it acts for this user. Undefined for other actors, because a request can also start work that is
 * attributed to the system.
 */
export function actingKeyOf(actorId: number | null): ActingKey | undefined {
  const key = acting.getStore()
  return key?.userId === actorId ? key : undefined
}
