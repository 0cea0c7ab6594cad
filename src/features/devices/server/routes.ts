import { signInFirst } from '#server/errors.ts'
import { implement, type Route } from '#server/http/route.ts'
import { sessionIdOf } from '#server/session/session-id.ts'
import * as contract from '../contract.ts'
import { removeDevice, renameDevice } from './screens/change-device.ts'
import { listDevices } from './screens/list-devices.ts'

export const routes: Route[] = [
  implement(contract.listDevices, async ({ db, config, user, caller }) =>
    listDevices(db, config, user.id, (await sessionIdOf(db, caller.sessionToken)) ?? signInFirst()),
  ),
  implement(contract.renameDevice, ({ db, user, params, body, requestId }) =>
    renameDevice(db, { id: params.deviceId, userId: user.id }, body.name, requestId),
  ),
  implement(contract.removeDevice, async ({ db, user, params, requestId }) => {
    await removeDevice(db, { id: params.deviceId, userId: user.id }, requestId)
    return { removed: true as const }
  }),
]
