const least = 3

/** What is searched for a typed text or a value of the address; undefined if it is too short. A number in an address is read as a number. */
export function searchText(value: unknown): string | undefined {
  const text = String(value ?? '')
    .trim()
    .slice(0, 120)
  return text.length < least ? undefined : text
}
