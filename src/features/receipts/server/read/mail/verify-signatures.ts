import type { dkimVerify } from 'mailauth/lib/dkim/verify.js'

/**
 * Verifies the signatures of an email, as `dkimVerify` of mailauth. The library is loaded on first use: it takes a tenth of the time to load the
 * modules of the server, and is needed only to read a mailbox.
 */
export const verifySignatures: typeof dkimVerify = async (...email) => {
  const mailauth = await import('mailauth/lib/dkim/verify.js')
  return mailauth.dkimVerify(...email)
}
