export const usernameMessage = 'Username must be at least 3 characters'
export const passwordMessage = 'Password must be at least 6 characters'
/** One sentence for an unknown name and for a wrong password. */
export const wrongLoginMessage = 'Invalid username or password'
/** One sentence for a taken name and a taken address, on both fields: the answer names neither. */
export const takenMessage = 'That username or email is already in use'
export const missingPasswordMessage = 'Please enter your current password'
export const wrongPasswordMessage = 'This is not your current password'
export const samePasswordMessage = 'Please choose a password you do not use yet'
export const reservedMessage = 'This username is reserved. Please choose another one.'

const reserved = new Set(
  'admin administrator anonymous api billing contact customerservice customersupport guest help helpdesk info invoice invoices mail me moderator nobody null official operator owner payments postmaster root sauce saucetv security staff support superuser sysadmin system team undefined user webmaster'.split(
    ' ',
  ),
)
/** Names that would speak for the operator, with or without dots, dashes and underscores. Only the first administrator may have one. */
export const isReservedName = (username: string): boolean => reserved.has(username.toLowerCase().replace(/[_.-]/g, ''))

/** Where to go after signing in: a path of this site, or home for anything else (`decisions`: /auth?redirect=). */
export function safePath(target: unknown): string {
  if (typeof target !== 'string' || !/^\/(?![/\\])[\x21-\x7e]*$/.test(target) || target.includes('\\')) return '/'
  const url = new URL(target, 'http://site.invalid')
  const path = url.pathname + url.search + url.hash
  return url.origin === 'http://site.invalid' && !path.startsWith('//') ? path : '/'
}
