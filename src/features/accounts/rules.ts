import { safePath } from '#kit/safe-path.ts'

/** The page that administrators see first. */
export const adminHome = '/admin/overview'
/** Returns the path to open after a login: `redirect`, otherwise the first page of administrators or the home page. */
export const landingPath = (role: 'user' | 'admin' | undefined, redirect: string | undefined): string =>
  redirect === undefined && role === 'admin' ? adminHome : safePath(redirect)

export const usernameMessage = 'Username must be at least 3 characters'
export const passwordMessage = 'Password must be at least 6 characters'
/** The same message for an unknown name and a wrong password. */
export const wrongLoginMessage = 'Invalid username or password'
/** The same message on both fields for a taken name and a taken address, so that the response reveals neither. */
export const takenMessage = 'That username or email is already in use'
export const missingPasswordMessage = 'Please enter your current password'
export const wrongPasswordMessage = 'This is not your current password'
export const samePasswordMessage = 'Please choose a password that differs from your current one'
/** Used, expired and invalid links get the same message. */
export const brokenLinkMessage = 'This link is no longer valid. Please request a new one.'
/** The message is the same whether or not an account has the address. */
export const resetRequestedMessage =
  'If an account has this address, a link to set a new password is on its way. It works for 15 minutes.'
export const passwordResetMessage = 'Please log in with your new password.'
export const emailVerifiedMessage = 'Thank you. Your email address is confirmed.'
export const verifyFirstMessage =
  'Please confirm your email address first. We sent you a link; you can ask for another one under Account Security.'
export const guessablePasswordMessage = 'This password is too easy to guess. Please choose another one.'
export const resetMismatchMessage = 'Passwords do not match'
export const lastAdminMessage = 'This is the last administrator. Please make another user an administrator first.'
export const ownPasswordMessage = 'Please change your own password in My Account, which asks for your current password.'
export const administratorsAccountMessage =
  'Administrators cannot reset each other here. They can use the “Forgot password?” link, or the operator can reset them on the command line.'
export const reservedMessage = 'This username is reserved. Please choose another one.'

const reserved = new Set(
  'admin administrator anonymous api billing contact customerservice customersupport guest help helpdesk info invoice invoices mail me moderator nobody null official operator owner payments postmaster root sauce saucetv security staff support superuser sysadmin system team undefined user webmaster'.split(
    ' ',
  ),
)
/**
 * Whether a name could be mistaken for the operator, with or without dots, dashes and underscores. Only the first administrator may have such a
 * name.
 */
export const isReservedName = (username: string): boolean => reserved.has(username.toLowerCase().replace(/[_.-]/g, ''))

/** The labels of the roles. */
export const roleNames = { user: 'Regular User', admin: 'Administrator' } as const

/** Returns a message about what an account recovery removed; empty if it removed nothing. */
export function removedCredentialsMessage({
  passkeys = [],
  secondFactor = false,
}: {
  passkeys?: string[] | undefined
  secondFactor?: boolean | undefined
}): string {
  const keys =
    passkeys.length === 0
      ? ''
      : `Passkeys were removed: ${passkeys.join(', ')}. You can add your own again under Account Security.`
  const factor = secondFactor
    ? 'Two-step verification was turned off. You can set it up again under Account Security.'
    : ''
  return [keys, factor].filter(Boolean).join(' ')
}
