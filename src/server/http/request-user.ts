import type { AnyEndpoint } from '#kit/endpoint.ts'
import type { Config } from '../config.ts'
import type { Db } from '../db/connect.ts'
import { notAllowed } from '../errors.ts'
import type { RateLimits } from '../overload/rate-limit.ts'
import { refuseWithoutScope, userOfKey } from '../session/api-keys.ts'
import { userOfDevice } from '../session/devices.ts'
import { type SessionUser, userOfToken } from '../session/session.ts'
import { refuseWithoutPermission } from '../session/session-guard.ts'
import { assertNoPage, assertOwnHost, assertSameOrigin, isFromPage } from './origin.ts'
import type { Caller } from './request.ts'

/** The user for whose session a page is rendered. All requests of the rendering have the same cookie, so the session is read only once. */
export type PageSession = { user?: Promise<SessionUser | null> }

/** Throws 403 if a write does not come from a page of this site, or if a page sends a request that only a server may send. */
export function assertOrigin(
  { signedBy, calledByMailPrograms, method }: AnyEndpoint,
  headers: Headers,
  { apiKey }: Caller,
  config: Config,
): void {
  // A page of another site cannot send an API key: the browser would first ask this server, which permits no other site.
  if (apiKey !== undefined) return
  if (calledByMailPrograms && !isFromPage(headers)) assertOwnHost(headers, config)
  else if (signedBy) assertNoPage(headers, config)
  else if (method !== 'GET') assertSameOrigin(headers, config)
}

/**
 * Returns the user of the session, paired device or API key; null if there is none. Public endpoints ignore sessions and devices; those that only read ignore
 * API keys too. Throws like `userOfKey`.
 */
export async function userOfRequest(
  app: { db: Db; limits: RateLimits },
  { access, method }: AnyEndpoint,
  caller: Caller,
  page?: PageSession,
): Promise<SessionUser | null> {
  if (caller.apiKey !== undefined && !(access === 'public' && method === 'GET'))
    return userOfKey(app, caller.apiKey, caller)
  if (access === 'public') return null
  const user = page?.user ?? userOfToken(app, caller.sessionToken, caller)
  if (page) page.user = user
  return (await user) ?? (access === 'watcher' ? userOfDevice(app.db, caller.deviceToken) : null)
}

/**
 * Throws 403 for an admin endpoint without the permission that it needs, and for an administrator without the required second factor. An API key is
 * refused at all other endpoints.
 */
export function refuseRole(endpoint: AnyEndpoint, user: SessionUser | null): void {
  if (endpoint.access !== 'admin' && !user?.apiKey) return
  if (user?.lacksSecondStep)
    notAllowed(
      'Administrators need two-step verification here. Please set it up under Account Security.',
      'two_factor_required',
    )
  if (user?.apiKey) refuseWithoutScope(endpoint, user.permissions)
  else refuseWithoutPermission(endpoint, user?.permissions ?? [])
}
