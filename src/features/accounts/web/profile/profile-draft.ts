import type { User } from '../../contract.ts'

/** Name and email are stored in this tab until they are saved or the dialog is closed. */
export const profileDraft = ({ id }: User) => ({ key: 'profile', owner: id, fields: ['fullName', 'email'] as const })
