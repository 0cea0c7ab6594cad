/** The browser storage of the chat: the consent for this tab, and the user whose conversation the widget holds in this browser. */
const slots = {
  /** `agreed`, or `open` when the chat has to start in the next document. */
  consent: { key: 'chat', storage: () => sessionStorage },
  person: { key: 'chat-person', storage: () => localStorage },
}
type Slot = keyof typeof slots

// Some private windows throw on any access to storage. The visitor is then asked for consent again.
export function readChatSlot(place: Slot): string | null {
  const { key, storage } = slots[place]
  try {
    return storage().getItem(key)
  } catch {
    return null
  }
}

export function writeChatSlot(place: Slot, value: string | null): void {
  const { key, storage } = slots[place]
  try {
    if (value === null) storage().removeItem(key)
    else storage().setItem(key, value)
  } catch {
    // See readChatSlot.
  }
}
