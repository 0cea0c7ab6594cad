/** What the chat remembers: in this tab that the visitor agreed, in this browser whose conversation the provider keeps. */
const places = {
  /** `agreed`, or `open` when the chat has to start by itself in the next document. */
  consent: { key: 'chat', storage: () => sessionStorage },
  person: { key: 'chat-person', storage: () => localStorage },
}
type Place = keyof typeof places

// Storage is refused in some private windows, down to the mention of it; the visitor is then asked again.
export function recall(place: Place): string | null {
  const { key, storage } = places[place]
  try {
    return storage().getItem(key)
  } catch {
    return null
  }
}

export function remember(place: Place, value: string | null): void {
  const { key, storage } = places[place]
  try {
    if (value === null) storage().removeItem(key)
    else storage().setItem(key, value)
  } catch {
    // As above.
  }
}
