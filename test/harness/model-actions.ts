import { accountActions } from './model-account-actions.ts'
import type { Action } from './model-action.ts'
import { invoiceActions } from './model-invoice-actions.ts'

/** All actions of the model-based test by name. */
export const modelActions: Record<string, Action> = { ...invoiceActions, ...accountActions }
