/** `Chrome 141 on Windows`, as far as it is known. */
export const deviceText = ({ browser, system }: { browser: string | null; system: string | null }): string =>
  browser === null
    ? (system ?? 'Unknown')
    : system === null || browser.startsWith(system)
      ? browser
      : `${browser} on ${system}`
