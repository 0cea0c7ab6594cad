import type { AnyEndpoint } from './endpoint.ts'
import { type GrantablePermission, grantablePermissions } from './permissions.ts'

/** These permissions are needed only by endpoints that refuse API keys. */
const notForKeys = ['customers.access', 'customers.view_as', 'mails.reveal'] as const
/** A permission that an API key may have. */
export type ApiKeyScope = Exclude<GrantablePermission, (typeof notForKeys)[number]>
/** The permissions that an API key may have. */
export const apiKeyScopes = grantablePermissions.filter(
  (permission): permission is ApiKeyScope => !(notForKeys as readonly string[]).includes(permission),
)

/**
 * Returns the scopes that give access to an endpoint; an API key needs one of them. Empty for endpoints that refuse keys: those that are not for
 * staff, those that all staff share, and those that end sessions, change the staff, or are marked with `sessionOnly`.
 */
export function scopesFor({ access, needs, endsSessions, sessionOnly }: AnyEndpoint): ApiKeyScope[] {
  if (access !== 'admin' || endsSessions || sessionOnly) return []
  return apiKeyScopes.filter((scope) => (typeof needs === 'string' ? needs === scope : needs.includes(scope)))
}
