import { implement, type Route } from '#server/http/route.ts'
import { getInstallation, goLive } from '../admin-contract.ts'
import { goLive as declareLive, readInstallation } from './service.ts'

export const routes: Route[] = [
  implement(getInstallation, ({ db, config }) => readInstallation({ db, config })),
  implement(goLive, ({ db, config, user, requestId }) => declareLive({ db, config }, { actorId: user.id, requestId })),
]
