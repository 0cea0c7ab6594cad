import { startViewing } from '#features/impersonation/admin-contract.ts'
import type { SignedIn, TestApp } from './app.ts'

/** The columns of the access matrix. Every other principal gets the same responses as one of them. */
export type Column = 'anonymous' | 'other' | 'owner' | 'admin'
/** A client: the cookie it sends, and the column whose responses it must get. */
export type Principal = {
  name: string
  cookie: string
  as: Column
  restriction?: 'choose-password' | 'read-only' | 'only-watch'
}
type Signed = {
  app: TestApp
  owner: SignedIn
  other: SignedIn
  admin: SignedIn
  /** With `tvToken`, the token of a TV of the owner. */
  pathParams: Record<string, string | number>
}

export const cookieOf = ({ client }: Pick<SignedIn, 'client'>) =>
  [...client.cookies].map(([name, value]) => `${name}=${value}`).join('; ')

/** Creates an administrator without a second factor, who has a customer's rights while the second factor is required. */
export async function adminWithoutTwoFactor(app: TestApp): Promise<Principal> {
  return {
    name: 'an administrator without the required second factor',
    cookie: cookieOf(await app.signInAdmin()),
    as: 'other',
  }
}

/** Principals whose session has ended. No request changes them, so all worlds of an app share them. */
const ended = new WeakMap<TestApp, Promise<Principal[]>>()

function endedSessions(app: TestApp): Promise<Principal[]> {
  const known = ended.get(app) ?? createEndedSessions(app)
  ended.set(app, known)
  return known
}

async function createEndedSessions(app: TestApp): Promise<Principal[]> {
  const query = (text: string, id: number) => app.database.pool.query(text, [id])
  const [loggedOut, expired, deleted] = [await app.signInAdmin(), await app.signInAdmin(), await app.signInAdmin()]
  const cookies = { loggedOut: cookieOf(loggedOut), deleted: cookieOf(deleted) }
  await loggedOut.client.post('/api/logout', {})
  await query("UPDATE sessions SET expires_at = now() - interval '1 second' WHERE user_id = $1", expired.user.id)
  await query('DELETE FROM users WHERE id = $1', deleted.user.id)
  return [
    { name: 'a logged-out administrator', cookie: cookies.loggedOut, as: 'anonymous' },
    { name: 'an administrator whose session has expired', cookie: cookieOf(expired), as: 'anonymous' },
    { name: 'an administrator who was deleted', cookie: cookies.deleted, as: 'anonymous' },
  ]
}

/** Creates all principals that may request the records of `owner`. `other` is a customer without records. */
export async function createPrincipals({ app, owner, other, admin, pathParams }: Signed): Promise<Principal[]> {
  const [demoted, reset, viewer] = [
    await app.signInAdmin(),
    await app.signIn({ mustChangePassword: true }),
    await app.signInAdmin(),
  ]
  await app.database.pool.query("UPDATE users SET role = 'user' WHERE id = $1", [demoted.user.id])
  await viewer.client.call(startViewing, { params: { userId: owner.user.id } })
  return [
    { name: 'anonymous', cookie: '', as: 'anonymous' },
    { name: 'a made-up session', cookie: `sid=${'x'.repeat(43)}`, as: 'anonymous' },
    { name: 'two session cookies', cookie: `${cookieOf(admin)}; ${cookieOf(owner)}`, as: 'anonymous' },
    ...(await endedSessions(app)),
    { name: 'another customer', cookie: cookieOf(other), as: 'other' },
    { name: 'a demoted administrator', cookie: cookieOf(demoted), as: 'other' },
    {
      name: 'a customer with a password that an administrator set',
      cookie: cookieOf(reset),
      as: 'other',
      restriction: 'choose-password',
    },
    {
      name: 'an administrator who views the site as the owner',
      cookie: cookieOf(viewer),
      as: 'owner',
      restriction: 'read-only',
    },
    {
      name: 'a paired TV of the owner',
      cookie: `device=${pathParams.tvToken}`,
      as: 'owner',
      restriction: 'only-watch',
    },
    { name: 'an administrator', cookie: cookieOf(admin), as: 'admin' },
    { name: 'the owner', cookie: cookieOf(owner), as: 'owner' },
  ]
}
