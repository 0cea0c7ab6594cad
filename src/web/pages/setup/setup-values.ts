import type { SetupGuide } from '#features/catalog/contract.ts'
import type { Site } from '#features/settings/contract.ts'

export type SetupValues = { app: string; provider: string; code: string; username: string; password: string }

/** Returns the values for the placeholders in a guide. The app and the code of the guide take precedence over those in the settings. */
export function setupValues({ app, code }: Pick<SetupGuide, 'app' | 'code'>, { setup, brand }: Site): SetupValues {
  return {
    app: app || setup.appName,
    provider: setup.providerName || brand.name,
    code: code || setup.downloaderCode,
    username: setup.demoUsername,
    password: setup.demoPassword,
  }
}

/** Returns the URL of the app for a device; empty if there is none. */
export function appUrlFor(
  { appUrl, device }: Pick<SetupGuide, 'appUrl' | 'device'>,
  { apps, playerUrl }: Site,
): string {
  if (appUrl !== '') return appUrl
  if (device.startsWith('android')) return apps.android
  if (device === 'apple') return apps.ios
  return device === 'web' ? apps.web || playerUrl : ''
}
