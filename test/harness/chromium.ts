import { existsSync, statfsSync } from 'node:fs'
import { delimiter, join } from 'node:path'

// The headless shell needs a fifth less processor time than a whole browser.
const names = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome']

/** Returns the path of the browser for the browser tests: `CHROMIUM_PATH`, else the first Chromium or Chrome on the PATH, or undefined if there is none. */
export function findChromium(): string | undefined {
  const { CHROMIUM_PATH, PATH = '' } = process.env
  if (CHROMIUM_PATH) return CHROMIUM_PATH
  const folders = PATH.split(delimiter).filter((folder) => folder !== '')
  return names.flatMap((name) => folders.map((folder) => join(folder, name))).find((file) => existsSync(file))
}

/**
 * Features for which Chromium starts processes in advance: two for the address bar of each window, which is never shown here, and one for the next page. They
 * take half of the processor time of a new window.
 */
const featuresWithoutUse = ['WebUIOmniboxPopup', 'WebUIOmniboxAimPopup', 'SpareRendererForSitePerProcess']

/** The features that Playwright disables. They are repeated here, because Chromium reads only the last `--disable-features`. */
const featuresPlaywrightDisables = [
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsUpgrades',
  'HttpsFirstBalancedModeAutoEnable',
  'LensOverlay',
  'MediaRouter',
  'PaintHolding',
  'ThirdPartyStoragePartitioning',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'OptimizationHints',
  'NetworkTimeServiceQuerying',
  'AimEnabled',
  'PreconnectToSearch',
]

/** The command-line arguments of Chromium. As root it refuses to run with its sandbox. */
export const chromiumArguments = [
  ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
  '--disable-gpu',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // Turns off the animations of the browser's own window, such as that of a loading tab. They take a twentieth of the processor time.
  '--animation-duration-scale=0',
  // Renders graphics in the browser process, and compiles scripts on one thread. Together this saves a twentieth of the processor time.
  '--in-process-gpu',
  '--js-flags=--single-threaded',
  `--disable-features=${[...featuresWithoutUse, ...featuresPlaywrightDisables].join(',')}`,
]

/**
 * The arguments that Playwright adds and that are removed. Without `--disable-dev-shm-usage`, Chromium keeps the memory that its processes share in /dev/shm
 * instead of in files, which saves a sixth of the processor time. Containers often have only 64 MB there.
 */
export const chromiumArgumentsLeftOut = freeBytes('/dev/shm') >= 2 * 1024 ** 3 ? ['--disable-dev-shm-usage'] : []

function freeBytes(folder: string): number {
  if (!existsSync(folder)) return 0
  const { bavail, bsize } = statfsSync(folder)
  return bavail * bsize
}
