/** The display name of a device, `Chrome 141 on Windows`, from its known parts. */
export const deviceText = ({ browser, system }: { browser: string | null; system: string | null }): string =>
  browser === null
    ? (system ?? 'Unknown')
    : system === null || browser.startsWith(system)
      ? browser
      : `${browser} on ${system}`
