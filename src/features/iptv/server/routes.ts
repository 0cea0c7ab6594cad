import { implement } from '#server/http/route.ts'
import * as contract from '../contract.ts'
import { syncAccount } from './service/sync-account.ts'
import { validateAccount } from './service/validate-account.ts'

export const routes = [
  implement(contract.validateAccount, ({ user, body, requestId, ...context }) =>
    validateAccount(context, user, body, requestId),
  ),
  implement(contract.syncAccount, ({ user, body, requestId, ...context }) =>
    syncAccount(context, user, body, requestId),
  ),
]
