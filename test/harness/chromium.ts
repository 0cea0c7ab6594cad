import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'

// The headless shell needs a fifth less processor time than a whole browser.
const names = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome']

/** The browser of the browser tests: `CHROMIUM_PATH`, else the first Chromium or Chrome on the PATH; undefined when there is none. */
export function findChromium(): string | undefined {
  const { CHROMIUM_PATH, PATH = '' } = process.env
  if (CHROMIUM_PATH) return CHROMIUM_PATH
  const folders = PATH.split(delimiter).filter((folder) => folder !== '')
  return names.flatMap((name) => folders.map((folder) => join(folder, name))).find((file) => existsSync(file))
}

/** Chromium refuses to run as root with its sandbox. */
export const chromiumArguments = [
  ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
  '--disable-gpu',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]
