import type { Hono } from 'hono'
import { countryCodeOf } from '#features/visitors/server/country.ts'
import { signInFirst } from '#server/errors.ts'
import { type AppContext, implement, type Route } from '#server/http/route.ts'
import { deviceName } from '#server/session/device.ts'
import { clearedDeviceCookie, deviceCookie } from '#server/session/session-cookies.ts'
import { sessionIdOf } from '#server/session/session-id.ts'
import * as contract from '../contract.ts'
import { codeLength, normalizedCode } from '../rules.ts'
import { nameOfTv, removeDevice, renameDevice } from './change-device.ts'
import { listDevices } from './list-devices.ts'
import { decideCode, lookUpCode } from './pairing/decide-code.ts'
import { claimDevice, createDeviceCode } from './pairing/device-code.ts'
import { createAppLogin } from './tv-apps/create-app-login.ts'
import { mountTvAppRoutes } from './tv-apps/tv-app-routes.ts'

export const routes: Route[] = [
  implement(contract.listDevices, async ({ db, config, user, caller }) =>
    listDevices(db, config, user.id, (await sessionIdOf(db, caller.sessionToken)) ?? signInFirst()),
  ),
  implement(contract.createAppLogin, ({ db, config, user, caller, body, requestId }) =>
    createAppLogin(db, config.publicUrl, user, { ...body, country: countryCodeOf(caller.ip) }, requestId),
  ),
  implement(contract.renameDevice, ({ db, user, params, body, requestId }) =>
    renameDevice(db, { id: params.deviceId, userId: user.id }, body.name, requestId),
  ),
  implement(contract.removeDevice, async ({ db, user, params, requestId }) => {
    await removeDevice(db, { id: params.deviceId, userId: user.id }, requestId)
    return { removed: true as const }
  }),
  implement(contract.createDeviceCode, ({ db, config, caller }) =>
    createDeviceCode(db, config.publicUrl, {
      agent: deviceName(caller.userAgent).slice(0, 120),
      country: countryCodeOf(caller.ip),
    }),
  ),
  implement(contract.claimDevice, async ({ db, config, body, reply }) => {
    const { token, name } = await claimDevice(db, body.deviceCode)
    reply.headers.append('set-cookie', deviceCookie(config, token))
    return { name }
  }),
  implement(contract.lookUpCode, ({ db, limits, user, caller, body }) =>
    lookUpCode({ db, limits, user, ip: caller.ip }, body.userCode),
  ),
  implement(contract.decideCode, ({ db, limits, user, caller, body, requestId }) =>
    decideCode({ db, limits, user, ip: caller.ip }, body, requestId),
  ),
  implement(contract.getTv, async ({ db, user }) => ({
    name: user.deviceId ? await nameOfTv(db, user.deviceId) : '',
  })),
  implement(contract.unpairTv, async ({ db, config, user, reply, requestId }) => {
    if (user.deviceId) await removeDevice(db, { id: user.deviceId, userId: user.id }, requestId)
    reply.headers.append('set-cookie', clearedDeviceCookie(config))
    return { removed: true as const }
  }),
]

/** Mounts the routes of TV apps, and the short URL that a TV shows (`/link`), which redirects to the pairing dialog on /screens. */
export function mountTvApps(hono: Hono, context: AppContext): void {
  hono.get('/link', (c) =>
    c.redirect(`/screens?pair=${normalizedCode(c.req.query('c') ?? '').slice(0, codeLength)}`, 302),
  )
  mountTvAppRoutes(hono, context)
}
