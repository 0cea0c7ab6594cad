export const ownerName = 'Owner'
/** How many roles of its own an installation may have. */
export const maxRoles = 50
export const builtInRoleMessage = 'This role is part of Sauce and cannot be changed. Add your own role instead.'
export const staleRoleMessage = 'Someone else has changed this role. Please check it and try again.'
