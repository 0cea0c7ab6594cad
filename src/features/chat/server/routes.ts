import { implement, type Route } from '#server/http/route.ts'
import { getChatIdentity } from '../contract.ts'
import * as chat from './service.ts'

export const routes: Route[] = [
  implement(getChatIdentity, async ({ db, config, user }) => ({
    identity: await chat.identityOf(db, config, user.id),
  })),
]
