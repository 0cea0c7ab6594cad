import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'

const names = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome']

/** The browser the journeys run in: `CHROMIUM_PATH`, else the first Chromium or Chrome on the PATH; undefined when there is none. */
export function findChromium(): string | undefined {
  const { CHROMIUM_PATH, PATH = '' } = process.env
  if (CHROMIUM_PATH) return CHROMIUM_PATH
  const folders = PATH.split(delimiter).filter((folder) => folder !== '')
  return names.flatMap((name) => folders.map((folder) => join(folder, name))).find((file) => existsSync(file))
}

/** Without a sandbox only for root, who cannot have one. */
export const chromiumArguments = [
  ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
  '--disable-gpu',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]
