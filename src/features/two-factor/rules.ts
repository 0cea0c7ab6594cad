export const codeMessage = 'Please enter the six digits your authenticator app shows, or a recovery code'
/** The same message for a wrong, a used and an expired code. */
export const wrongCodeMessage =
  'This code is wrong or was already used. Please enter the one your authenticator app shows now.'
export const startOverMessage = 'Please log in with your password again.'
export const recoveryCodeCount = 10

/** Removes spaces and dashes from an entered code and converts it to upper case, the stored form of recovery codes. */
export const normalizeCode = (typed: string): string => typed.replace(/[\s-]/g, '').toUpperCase()
export const isAppCode = (plain: string): boolean => /^\d{6}$/.test(plain)
export const isRecoveryCode = (plain: string): boolean => /^[A-Z2-7]{16}$/.test(plain)

/** Formats a recovery code for display: four groups of four characters. */
export const formatRecoveryCode = (plain: string): string => plain.match(/.{4}/g)?.join('-') ?? plain
