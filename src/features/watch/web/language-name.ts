/** `English` of `en`; undefined for an unknown language. */
export function languageName(code: string): string | undefined {
  try {
    const name = code === '' ? undefined : new Intl.DisplayNames(['en'], { type: 'language' }).of(code)
    return name === code ? undefined : name
  } catch {
    return undefined
  }
}
