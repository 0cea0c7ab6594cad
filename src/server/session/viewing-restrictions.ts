import type { AnyEndpoint } from '#kit/endpoint.ts'
import { notAllowed } from '../errors.ts'
import type { SessionUser } from './session.ts'

const secretFieldName = /password|secret|token|playlist|m3u/i

/** Throws 403 if an administrator who views the site as a customer tries to change anything or to download files other than PDFs. */
export function refuseWhileViewing(endpoint: AnyEndpoint, user: SessionUser | null): void {
  if (!user?.viewedBy || endpoint.openWhileViewing) return
  if (endpoint.method !== 'GET' || (endpoint.file && endpoint.file !== 'application/pdf'))
    notAllowed(
      'You are viewing this account as the customer, so you cannot change anything. Stop viewing first.',
      'read_only_view',
    )
}

/** Returns a copy of a response in which every string in a field with a secret-like name (`secretFieldName`) is replaced by `(hidden)`. */
export function withoutSecrets(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutSecrets)
  if (typeof value !== 'object' || value === null) return value
  const hidden = ([name, inner]: [string, unknown]) => [
    name,
    secretFieldName.test(name) && typeof inner === 'string' ? '(hidden)' : withoutSecrets(inner),
  ]
  return Object.fromEntries(Object.entries(value).map(hidden))
}
