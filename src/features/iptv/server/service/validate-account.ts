import type { Output } from '#kit/endpoint.ts'
import type { SessionUser } from '#server/session/session.ts'
import type { validateAccount as endpoint, IptvCredentials } from '../../contract.ts'
import { outcomes } from '../../rules.ts'
import { type CheckContext, checkCredentials } from './check-credentials.ts'

/** Checks whether the panel accepts these credentials and, if not, why. Stores nothing. Throws like `checkCredentials`. */
export async function validateAccount(
  context: CheckContext,
  user: SessionUser,
  credentials: IptvCredentials,
  requestId: string,
): Promise<Output<typeof endpoint>> {
  const { outcome } = await checkCredentials(context, user, credentials, requestId)
  return { valid: outcome === 'ok', message: outcomes[outcome].message }
}
