import type { Output } from '#kit/endpoint.ts'
import type { SessionUser } from '#server/session/session.ts'
import type { validateAccount as endpoint, IptvCredentials } from '../../contract.ts'
import { outcomes } from '../../rules.ts'
import { type CheckContext, checkCredentials } from './ask-panel.ts'

/** Whether the panel takes these credentials, and if not, why; nothing is stored. Throws like `askPanel`. */
export async function validateAccount(
  house: CheckContext,
  user: SessionUser,
  given: IptvCredentials,
  requestId: string,
): Promise<Output<typeof endpoint>> {
  const { outcome } = await checkCredentials(house, user, given, requestId)
  return { valid: outcome === 'ok', message: outcomes[outcome].message }
}
