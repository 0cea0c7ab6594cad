import type { AnyEndpoint } from '#kit/endpoint.ts'
import { notAllowed } from '../errors.ts'
import type { SessionUser } from './session.ts'

const secret = /password|secret|token|playlist|m3u/i

/** Throws 403 for whatever an administrator who looks at the site as a customer may not do: change anything, or save what opens a line. */
export function refuseWhileViewing(endpoint: AnyEndpoint, user: SessionUser | null): void {
  if (!user?.viewedBy || endpoint.openWhileViewing) return
  if (endpoint.method !== 'GET' || (endpoint.file && endpoint.file !== 'application/pdf'))
    notAllowed(
      'You are viewing this account as its customer: nothing can be changed. Stop viewing first.',
      'read_only_view',
    )
}

/** An answer without the customer's secrets: every text in a field named like one is hidden. */
export function withoutSecrets(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutSecrets)
  if (typeof value !== 'object' || value === null) return value
  const hidden = ([name, inner]: [string, unknown]) => [
    name,
    secret.test(name) && typeof inner === 'string' ? '(hidden)' : withoutSecrets(inner),
  ]
  return Object.fromEntries(Object.entries(value).map(hidden))
}
