export const ownerName = 'Owner'
/** The maximum number of roles that owners may add to the built-in ones. */
export const maxRoles = 50
export const builtInRoleMessage = 'This role is part of Sauce and cannot be changed. Add your own role instead.'
export const staleRoleMessage = 'Someone else has changed this role. Please check it and try again.'
