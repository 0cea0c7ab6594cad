const minLength = 3

/** The search for typed text or a value of the URL; undefined if it is too short. The router parses digits in the URL as a number. */
export function searchText(value: unknown): string | undefined {
  const text = String(value ?? '')
    .trim()
    .slice(0, 120)
  return text.length < minLength ? undefined : text
}
