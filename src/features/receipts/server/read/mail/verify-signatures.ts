import type { dkimVerify } from 'mailauth/lib/dkim/verify.js'

/**
 * Verifies the signatures of an email with `dkimVerify` of mailauth. The library is loaded on first use, because it accounts for a tenth of the time to load
 * the server modules and is only needed to read a mailbox.
 */
export const verifySignatures: typeof dkimVerify = async (...email) => {
  const mailauth = await import('mailauth/lib/dkim/verify.js')
  return mailauth.dkimVerify(...email)
}
