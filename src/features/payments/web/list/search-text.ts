const minLength = 3

/**
 * Returns the search for a typed text or for a value from the URL; undefined if it is too short. The value can be a number, because the router parses digits in
 * the URL.
 */
export function searchText(value: unknown): string | undefined {
  const text = String(value ?? '')
    .trim()
    .slice(0, 120)
  return text.length < minLength ? undefined : text
}
