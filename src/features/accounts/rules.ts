export const usernameMessage = 'Username must be at least 3 characters'
export const passwordMessage = 'Password must be at least 6 characters'
/** One sentence for an unknown name and for a wrong password. */
export const wrongLoginMessage = 'Invalid username or password'
/** One sentence for a taken name and a taken address, on both fields: the answer names neither. */
export const takenMessage = 'That username or email is already in use'
export const missingPasswordMessage = 'Please enter your current password'
export const wrongPasswordMessage = 'This is not your current password'
export const samePasswordMessage = 'Please choose a password you do not use yet'
/** One sentence for a link that was used, is too old or never was one. */
export const brokenLinkMessage = 'This link is no longer valid. Please ask for a new one.'
/** One sentence whether or not somebody has the address. */
export const resetAskedMessage =
  'If an account has this address, a link to set a new password is on its way. It works for 15 minutes.'
export const resetDoneMessage = 'Your new password is in force. Please log in with it.'
export const emailVerifiedMessage = 'Thank you. Your email address is confirmed.'
export const verifyFirstMessage =
  'Please confirm your email address first. We sent you a link; you can ask for another one under Account Security.'
export const guessablePasswordMessage =
  'This password is among the first that anybody would guess. Please choose another one.'
export const resetMismatchMessage = 'Passwords do not match'
export const lastAdminMessage = 'This is the last administrator. Please make somebody else an administrator first.'
export const ownPasswordMessage = 'Please change your own password in My Account, where the current one is asked for.'
export const administratorsAccountMessage =
  'Administrators cannot reset each other here. They use the link under Forgot password, or the operator resets them on the command line.'
export const reservedMessage = 'This username is reserved. Please choose another one.'

const reserved = new Set(
  'admin administrator anonymous api billing contact customerservice customersupport guest help helpdesk info invoice invoices mail me moderator nobody null official operator owner payments postmaster root sauce saucetv security staff support superuser sysadmin system team undefined user webmaster'.split(
    ' ',
  ),
)
/** Names that would speak for the operator, with or without dots, dashes and underscores. Only the first administrator may have one. */
export const isReservedName = (username: string): boolean => reserved.has(username.toLowerCase().replace(/[_.-]/g, ''))

/** What a role is called on the pages. */
export const roleNames = { user: 'Regular User', admin: 'Administrator' } as const

/** What a recovery removed, for its user; empty when it removed nothing. */
export function removedSentence({
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
    ? 'Two-step verification was switched off. You can set it up again under Account Security.'
    : ''
  return [keys, factor].filter(Boolean).join(' ')
}
