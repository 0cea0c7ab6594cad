/** The maximum number of API keys that may be in use at the same time. */
export const maxApiKeys = 50
export const scopesMessage = 'Please select what the key may do'
export const endsOnMessage = 'Please enter a day from today to ten years from now'
export const stateNames = {
  active: 'Active',
  ended: 'Expired',
  revoked: 'Revoked',
  creator_left: 'Creator has left the staff',
} as const
