export const passkeyNameMessage = 'Please give the passkey a name'
/** The same message for every failure, whatever the reason. */
export const refusedPasskeyMessage = 'This passkey could not be used. Please try again, or log in with your password.'
export const unreadablePasskeyMessage = 'Your device sent something we could not read. Please try again.'
export const maxPasskeys = 10
