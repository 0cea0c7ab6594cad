import { AsyncLocalStorage } from 'node:async_hooks'

type ActingKey = { id: number; name: string; userId: number }
const acting = new AsyncLocalStorage<ActingKey>()

/** Runs the handler of a request with an API key, so that its audit entries name the key. */
export const withActingKey = <T>(key: ActingKey, handler: () => T): T => acting.run(key, handler)

/** The API key that acts for this user in the current request. Undefined for other actors: a request may start work of the system. */
export function actingKeyOf(actorId: number | null): ActingKey | undefined {
  const key = acting.getStore()
  return key?.userId === actorId ? key : undefined
}
