import { implement, type Route } from '#server/http/route.ts'
import * as contract from '../admin-contract.ts'
import { createApiKey } from './service/create-api-key.ts'
import { listApiKeys } from './service/read-api-keys.ts'
import { revokeApiKey } from './service/revoke-api-key.ts'

export const routes: Route[] = [
  implement(contract.listApiKeys, ({ db }) => listApiKeys(db)),
  implement(contract.createApiKey, ({ body, user, caller, requestId, ...ctx }) =>
    createApiKey(ctx, body, user, { caller, requestId }),
  ),
  implement(contract.revokeApiKey, ({ params, body, user, caller, requestId, ...ctx }) =>
    revokeApiKey(ctx, params.apiKeyId, body, user, { caller, requestId }),
  ),
]
