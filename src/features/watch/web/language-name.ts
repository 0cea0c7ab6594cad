/** Returns the English name of a language, such as `German` for `de`; undefined for an unknown code. */
export function languageName(code: string): string | undefined {
  try {
    const name = code === '' ? undefined : new Intl.DisplayNames(['en'], { type: 'language' }).of(code)
    return name === code ? undefined : name
  } catch {
    return undefined
  }
}
