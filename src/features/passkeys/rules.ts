export const passkeyNameMessage = 'Please give the passkey a name'
/** One sentence, whatever was wrong with it. */
export const refusedPasskeyMessage = 'This passkey could not be used. Please try again, or log in with your password.'
export const unreadablePasskeyMessage = 'Your device sent something we could not read. Please try again.'
export const passkeysAtMost = 10
