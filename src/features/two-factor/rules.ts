export const codeMessage = 'Please enter the six digits your app shows, or a recovery code'
/** One sentence for a wrong code, one that was used before and one of another time. */
export const wrongCodeMessage =
  'This code is not right, or it was used before. Please enter the one your app shows now.'
export const startOverMessage = 'Please log in with your password again.'
export const recoveryCodeCount = 10

/** A typed code without the spaces and dashes people put in; recovery codes in capitals, as they are kept. */
export const plainCode = (typed: string): string => typed.replace(/[\s-]/g, '').toUpperCase()
export const isAppCode = (plain: string): boolean => /^\d{6}$/.test(plain)
export const isRecoveryCode = (plain: string): boolean => /^[A-Z2-7]{16}$/.test(plain)

/** A recovery code as it is shown: four groups of four. */
export const groupedCode = (plain: string): string => plain.match(/.{4}/g)?.join('-') ?? plain
